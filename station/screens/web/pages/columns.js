// Where a number stands on a card: the one place of the pages that decides.

export const COLUMNS = 9;

/** The column, from 0, of a number: 1-9, 10-19 … 80-90; or 1-10, 11-20 … 81-90, where the tens end a column. */
export function column(number, tensLast = false) {
  return tensLast ? Math.floor((number - 1) / 10) : Math.min(COLUMNS - 1, Math.floor(number / 10));
}

// Sums as the hall writes them, and as people type them: the same strict rules as the command line's.

export class Money {
  /** `currency` is `{sign, decimals}`, as the station says. */
  constructor({ sign, decimals }) {
    [this.sign, this.decimals] = [sign, decimals];
  }

  /** A sum of whole minor units: `text(1250)` is "£12.50". */
  text(units) {
    const digits = String(Math.abs(units)).padStart(this.decimals + 1, "0");
    const cut = digits.length - this.decimals;
    const written = this.decimals ? `${digits.slice(0, cut)}.${digits.slice(cut)}` : digits;
    return `${units < 0 ? "-" : ""}${this.sign}${written}`;
  }

  /** The minor units of a typed sum, or null: digits, then a point or comma with exactly the currency's decimals, or none. */
  read(typed) {
    const text = typed.trim().replace(this.sign, "").trim();
    const [, whole, mark, rest] = /^([0-9]{1,9})(?:([.,])([0-9]+))?$/.exec(text) ?? [];
    if (whole === undefined || (rest !== undefined && rest.length !== this.decimals)) return null;
    if (mark === "," && this.decimals === 3) return null; // it may be thousands
    return Number(whole + (rest ?? "0".repeat(this.decimals)));
  }

  get example() {
    return new Money({ sign: "", decimals: this.decimals }).text(1250);
  }
}

"""Games at the table: a company on its seats, cards dealt, counters, a pool; its bag, its host, its buzzers."""

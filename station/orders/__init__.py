"""Give the running station orders at the command line: sale, claims, the table, what comes before a
game."""

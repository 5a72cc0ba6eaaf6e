"""What people order the running station to do at the command line: sale, claims, the table, what
comes before a game."""

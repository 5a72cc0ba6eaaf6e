"""The command line, by groups of commands; `station.cli` puts them together. Thin: errors become one sentence there."""

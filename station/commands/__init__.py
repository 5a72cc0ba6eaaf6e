"""The command line, by groups of commands; `station.commands.app` puts them together. Thin: errors
become one sentence there."""

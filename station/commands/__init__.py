"""Define the command line, a module for each group of commands; `station.commands.app` puts them
together. Thin: errors become one sentence there."""

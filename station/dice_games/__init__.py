"""Play the old books' games of dice, one folder each: Dice Keno, and Bell and Hammer with its
marked cubes. What is said of `station.games` holds here.
"""

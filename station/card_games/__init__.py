"""Play the old books' games of playing cards, one folder each: Tontine, My Bird Sings, Spoil-Five.
What is said of `station.games` holds here.
"""

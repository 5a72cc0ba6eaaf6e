"""Packs: how strips are drawn, cards numbered, printed series read and written; `station.cards` is the door."""

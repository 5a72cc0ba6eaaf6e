"""Dice Keno: checks on a card by the throw of dice."""

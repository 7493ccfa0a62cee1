"""Lexicon."""

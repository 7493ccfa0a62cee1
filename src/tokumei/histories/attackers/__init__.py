"""Attacks on released purchase histories; `released_rows` and `answers` are what they share."""

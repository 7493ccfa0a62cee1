"""Histories released period by period, each customer under changing pseudonyms."""

"""Histories released period by period under changing pseudonyms."""

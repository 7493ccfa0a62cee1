"""Histories released period by period under pseudonyms."""

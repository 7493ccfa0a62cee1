"""Generates an online shop: customers, items and a year of purchases."""

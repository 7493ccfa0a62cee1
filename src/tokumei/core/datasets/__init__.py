"""A made-up shop: customers, items and a year of purchases, for samples of histories."""

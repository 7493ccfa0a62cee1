"""Replaces items by categories: from a file, descriptions, codes or baskets."""

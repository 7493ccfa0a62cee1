"""Items replaced by categories: from a file, from descriptions, from codes, from baskets."""

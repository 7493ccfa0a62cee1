"""Data classes of tables: schema, codes, comparison, knowledge, guess, release."""

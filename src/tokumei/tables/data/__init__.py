"""What a table is: schema, codes, counted rows, comparison, knowledge, guess, release."""

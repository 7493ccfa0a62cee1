"""What data is: schema, table, cells, release, knowledge, guess, files and look-alike samples."""

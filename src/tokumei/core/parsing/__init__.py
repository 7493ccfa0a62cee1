"""Numbers and days as people write them, read by rules that have names and can be switched off."""

"""Parses numbers and dates as people write them, by named rules that can be switched off."""

"""Assesses a release against one scenario: who could find whom, what is kept, what would help."""

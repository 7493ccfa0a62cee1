"""Tables: one row per person, or several under a person's number."""

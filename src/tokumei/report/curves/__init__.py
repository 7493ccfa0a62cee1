"""Pages on curves: risk against what somebody knows, and against how long a pseudonym lives."""

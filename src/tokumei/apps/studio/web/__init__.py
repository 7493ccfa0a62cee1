"""Pages: they show what jobs found, and compute nothing."""

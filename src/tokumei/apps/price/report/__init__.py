"""What a report on prices shows."""

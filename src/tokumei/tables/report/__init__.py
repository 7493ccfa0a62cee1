"""What a report on tables shows and says."""

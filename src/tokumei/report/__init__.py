"""What was done, how safe it is and what it is worth, told to people: scorecard, charts, HTML."""

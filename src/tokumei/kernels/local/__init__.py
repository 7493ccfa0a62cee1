"""Local recoding: boxes around tuples, moved and exchanged while that loses less."""

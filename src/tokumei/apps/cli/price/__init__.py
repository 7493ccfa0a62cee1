"""`tokumei price`: values a release, and finds the k-anonymous recoding of highest value."""

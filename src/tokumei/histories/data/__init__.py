"""Data classes of purchase histories: exact, generalized, releases, guesses."""

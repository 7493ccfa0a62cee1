"""Which k? What each k costs, whom it leaves to be found, and what to do about it."""

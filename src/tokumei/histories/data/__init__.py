"""What a purchase history is, exact and generalized, with its release and guesses."""

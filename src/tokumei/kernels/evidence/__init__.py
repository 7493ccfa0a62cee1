"""How much known rows speak for each pseudonym of a month."""

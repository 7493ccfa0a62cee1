"""The contest server, its judge, its client and its demo."""

"""What the tests split from test_figures share."""

from tokumei.ledger.hash_chain import KeyedCodes

CODES = KeyedCodes(b"k" * 32)

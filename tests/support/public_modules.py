"""The modules that programs may import from; all others are internal."""

PUBLIC_MODULES = [
    "tokumei",
    "tokumei.advice",
    "tokumei.conformity",
    "tokumei.contest",
    "tokumei.extending",
    "tokumei.histories",
    "tokumei.ledger",
    "tokumei.price",
    "tokumei.pseudonyms",
    "tokumei.spark",
    "tokumei.tables",
    "tokumei.testing",
]

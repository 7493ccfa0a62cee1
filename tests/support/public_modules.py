"""The modules that programs may import from; all others are internal."""

PUBLIC_MODULES = [
    "tokumei",
    "tokumei.conformity",
    "tokumei.contest",
    "tokumei.extending",
    "tokumei.histories",
    "tokumei.price",
    "tokumei.pseudonyms",
    "tokumei.spark",
    "tokumei.tables",
]

"""What the tests split from test_reading share."""

LABELS = [
    ["a", "{a;c}", "a … g", "*"],
    ["c", "{a;c}", "a … g", "*"],
    ["e", "e", "a … g", "*"],
    ["g", "g", "a … g", "*"],
    ["k", "k", "k", "*"],
]

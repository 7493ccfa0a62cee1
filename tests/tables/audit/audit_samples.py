"""What the tests split from test_audit share."""

FAST = {"kinds": ["membership"], "seed": 1}


def warned(found):
    return " ".join(one.show("en") for one in found.warnings)

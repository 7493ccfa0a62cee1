"""What the tests split from test_price_suggestions share."""

from __future__ import annotations

from tokumei.tables.hierarchies.builtin import load_occupations

MAJOR = {
    name: group["ja"] for group in load_occupations().values() for name in group["middle"].values()
}

"""Tests of tokumei.apps.contest.web.mathml."""

from __future__ import annotations

from tokumei.apps.contest.web.markdown import prose


def test_formulas_of_their_own_line_and_prices():
    assert '<math display="block"><mrow><mi>a</mi>' in prose("$$\na = 1\n$$")
    assert "<munder><mo>max</mo><mi>a</mi></munder>" in prose("$$\\max_a s_a$$")
    assert "<math" not in prose("it costs $5 and $6")
    assert "<em>" not in prose("$a*b*c$")

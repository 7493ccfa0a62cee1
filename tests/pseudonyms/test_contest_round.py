"""Tests of tokumei.pseudonyms.contest_round."""

from __future__ import annotations

from pseudonyms.report.scoreboard_page_helpers import ENTRIES
from tokumei.core.described import find_title
from tokumei.pseudonyms.contest_round import RoundScoreboard
from tokumei.pseudonyms.registry import attackers
from tokumei.pseudonyms.report.scoreboard_page import scoreboard_page


def test_the_strongest_attack_is_named_in_words():
    plain = RoundScoreboard(ENTRIES[:1], (0.25, 1.0), 1234, 50, 12, 147)
    title = find_title(attackers, "best")
    told = scoreboard_page(plain).detail
    assert told.show("en").endswith(f"the strongest attack is “best” ({title.show('en')}).")
    assert told.show("ja").endswith(f"最も強い攻撃は「best」({title.show('ja')}) です。")

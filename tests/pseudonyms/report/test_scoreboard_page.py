"""The page on a contest's round says what the board holds."""

from __future__ import annotations

import pytest

from pseudonyms.report.scoreboard_page_helpers import ENTRIES, entry
from tokumei.core.described import find_title
from tokumei.pages.curve_page import render_curve_page
from tokumei.pseudonyms.contest_round import RoundScoreboard
from tokumei.pseudonyms.registry import attackers
from tokumei.pseudonyms.report.scoreboard_page import scoreboard_page

BOARD = RoundScoreboard(ENTRIES, (0.25, 1.0), 1234, 50, 12, 147)


def test_the_judges_figures():
    plain, noisy = ENTRIES
    assert (plain.strongest, noisy.strongest) == ("best", "S1")
    assert plain.total == pytest.approx((0.2 + 0.9) / 2)
    assert noisy.total == pytest.approx((0.4 + 0.3) / 2)
    assert noisy.highest_rate(0.25).value == 0.5
    assert noisy.highest_rate(1.0).value == 0.3
    assert noisy.highest_rate(1.0, "reid_active").value == 0.15
    assert BOARD.best is noisy


def test_tables_and_charts_hold_the_boards_figures():
    page = scoreboard_page(BOARD)
    grids = {section.name: section.grid for section in page.sections}
    ranking = [[cell.text for cell in cells] for _, cells in grids["scoreboard"].lines]
    assert ranking[1] == ["0.3500", "0.4000", "0.3000", "S1", "75 %", "321"]
    assert grids["scoreboard"].chosen == grids["risk"].chosen == [1]
    risk = [[cell.text for cell in cells] for _, cells in grids["risk"].lines]
    assert risk == [["80 %", "100 %"], ["50 %", "30 %"]]
    attacks = [[cell.text for cell in cells] for _, cells in grids["attacks"].lines]
    assert attacks == [["25 %", "30 %"], ["90 %", "25 %"]]
    named = [name for name, _ in grids["attacks"].lines]
    titles = [find_title(attackers, "S1"), find_title(attackers, "best")]
    assert [name.show("en") for name in named] == [
        f"S1: {titles[0].show('en')}",
        f"best: {titles[1].show('en')}",
    ]
    assert [name.show("ja") for name in named] == [
        f"S1: {titles[0].show('ja')}",
        f"best: {titles[1].show('ja')}",
    ]
    utility = [[cell.text for cell in cells] for _, cells in grids["utility"].lines]
    assert utility == [["0.100000", "0.200000"], ["0.200000", "0.400000"]]
    customers, months = page.panels
    assert [(row["x"], row["y"]) for row in customers.rows] == [
        (0.25, 0.8), (1.0, 1.0), (0.25, 0.5), (1.0, 0.3),
    ]  # fmt: skip
    assert [row["y"] for row in months.rows] == [0.4, 0.5, 0.25, 0.15]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_page_is_whole_in_both_languages(lang):
    html = render_curve_page(scoreboard_page(BOARD), lang=lang)
    assert f'<html lang="{lang}">' in html
    failing = "Every release fails: the strongest attack finds at least 30"
    for words in (failing, "どの匿名加工データでも", "1,234", "147"):
        assert words in html
    assert "“noisy” has the best total of utility and safety, 0.350" in html


def test_the_headline_names_the_best_if_a_release_is_safe():
    safe = [*ENTRIES, entry("safe", 0.1, S1=[0.0, 0.1], best=[0.1, 0.1])]
    words = scoreboard_page(RoundScoreboard(safe, (0.25, 1.0), 1, 1, 1, 1)).headline
    assert words.texts() == {
        "en": "“safe” has the best total",
        "ja": "総合点が最も良いのは「safe」",
    }


def test_few_lines_and_no_chart_of_a_single_point():
    many = [entry(f"r{place}", place / 10, S1=[0.1, 0.2]) for place in range(8)]
    page = scoreboard_page(RoundScoreboard(many, (0.25, 1.0), 1, 1, 1, 1))
    assert {row["en"] for row in page.panels[0].rows} == {f"r{place}" for place in range(5)}
    single = RoundScoreboard(ENTRIES[:1], (0.25,), 1, 1, 1, 1)
    assert scoreboard_page(single).panels == []

"""What the tests split from test_scoreboard_page share."""

from __future__ import annotations

from tokumei.core.measure import Score
from tokumei.pseudonyms.contest_round import ScoreboardEntry


def score(value: float) -> Score:
    return Score(value, max(0.0, value - 0.05), min(1.0, value + 0.05), 0.01, 100)


def entry(name: str, worst: float, **found: list[float]) -> ScoreboardEntry:
    """Attacks with their shares of customers wholly found, one for each α of 0.25 and 1."""
    alphas = (0.25, 1.0)
    safety = {
        alpha: {
            attack: {"reid_all": score(rates[place]), "reid_active": score(rates[place] / 2)}
            for attack, rates in found.items()
        }
        for place, alpha in enumerate(alphas)
    }
    utility = {"itemcf": Score(worst / 2), "rows": Score(worst), "worst": Score(worst)}
    return ScoreboardEntry(name, {"method": "pseudonyms"}, 0.75, 321, utility, safety)


ENTRIES = [
    entry("plain", 0.2, S1=[0.1, 0.4], best=[0.8, 1.0]),
    entry("noisy", 0.4, S1=[0.5, 0.1], best=[0.2, 0.3]),
]

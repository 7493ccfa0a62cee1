"""How to read the measures and attacks: one line, one formula and their limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tokumei.core.errors import UnknownNameError
from tokumei.core.levels import ATTACK_LIMITS, Limits
from tokumei.core.text import Text
from tokumei.report.titles import registered_title
from tokumei.tables.registry import measures
from tokumei.tables.report.levels import LIMITS
from tokumei.tables.report.tables import attack_title


@dataclass(frozen=True)
class Entry:
    """A name, what it means, how it is computed, its limits and which way is better."""

    name: str
    title: Text
    formula: str
    better: Text
    limits: Limits | None

    @property
    def share(self) -> bool:
        """Whether its limits are shares, written as percentages."""
        return self.name not in ("S1", "U4")


LESS = Text("smaller is better", "小さいほど良い")
MORE = Text("larger is better", "大きいほど良い")
SAFETY = (
    "S1",
    "S2",
    "highest_risk",
    "records_at_risk",
    "marketer_risk",
    "sample_uniques",
    "distinction",
    "separation",
    "suda",
    "population_uniques",
)
FORMULAS = {
    "S1": "min |class|",
    "S2": "|Y| / classes",
    "U1": "mean_j |mean(X_j) − mean(Y_j)|",
    "U2": "mean_cells,j |mean_cell(X_j) − mean_cell(Y_j)|",
    "U3": "mean_cells |count_cell(X) − count_cell(Y)|",
    "U4": "mean_i<j |cor(X_i, X_j) − cor(Y_i, Y_j)|",
    "U5": "mean_rows,j |x − y| / (max X_j − min X_j)",
    "U6": "|X| − |Y|",
    "gcp_sets": "mean_cells width(cell) / width(domain)",
    "dm": "Σ |class|² + |X| · suppressed",
    "c_avg": "|Y| / (classes · k)",
    "rows_kept": "|Y| / |X|",
    "ncp": "mean_cells (leaves(cell) − 1) / (leaves − 1)",
    "prec": "1 − mean_cells level(cell) / height",
    "entropy_loss": "mean_j Σ log₂(p(cell) / p(x)) / Σ log₂(1 / p(x))",
    "kl_divergence": "Σ_t P(t) · ln(P(t) / Q(t))",
    "query_error": "median_queries |answer(Y) − count(X)| / count(X)",
    "classification": "right / rows, learnt from Y, tried on X",
    "highest_risk": "max_rows 1 / |class|",
    "records_at_risk": "rows with 1 / |class| > threshold / |Y|",
    "marketer_risk": "classes / |Y|",
    "sample_uniques": "rows with |class| = 1 / |Y|",
    "distinction": "classes / |Y|",
    "separation": "pairs of rows that differ / pairs",
    "suda": "rows unique on ≤ 3 QI / |Y|",
    "population_uniques": "estimated uniques / N",
    "E1": "y → random { x : QI(x) = QI(y) }",
    "E2": "y → argmin |x_s − y_s|, QI(x) = QI(y)",
    "E3": "rank(Σ_j y_j) = rank(Σ_j x_j)",
    "E4": "y → argmin |x_s − y_s|",
    "EUC1": "y → argmin ‖x − y‖, QI(x) = QI(y)",
    "EUC2": "y → argmin ‖x − y‖, QI(x) = QI(y), or any x",
    "linkage": "one-to-one y ↔ x, min Σ ‖x − y‖ / sd",
}


def glossary(scores: Iterable[str], attacks: Iterable[str]) -> list[tuple[Text, list[Entry]]]:
    """The measures and attacks used in a report, in groups with a heading."""
    names = list(scores)
    groups = [
        (Text("Safety by structure", "構造から見た安全性"), [n for n in names if n in SAFETY]),
        (Text("Utility", "有用性"), [n for n in names if n not in SAFETY]),
    ]
    entries = [(heading, [_measure(name) for name in group]) for heading, group in groups]
    found = [Entry(n, attack_title(n), FORMULAS.get(n, ""), LESS, ATTACK_LIMITS) for n in attacks]
    entries.append((Text("Attacks (a lower rate is safer)", "攻撃（成功率が低いほど安全）"), found))
    return [(heading, group) for heading, group in entries if group]


def measure_title(name: str) -> Text:
    """A measure's title; the name itself for one that is not registered here."""
    return registered_title(measures, name)


def _measure(name: str) -> Entry:
    formula = FORMULAS.get(name, "")
    return Entry(name, measure_title(name), formula, _better(name), LIMITS.get(name))


def _better(name: str) -> Text:
    try:
        return MORE if measures.get(name).goal.value == "maximize" else LESS
    except UnknownNameError:
        return Text("", "")

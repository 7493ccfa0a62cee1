"""Paper 003: re-identification by Euclidean distance, eight single methods, twelve releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tokumei.apps.papers.charts import (
    COMPUTED_SIDE,
    PAPER_SIDE,
    merge_coinciding_points,
    plain_points_panel,
    points_panel,
)
from tokumei.apps.papers.comparison import ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.distance_curves import (
    GENERATED_DATA_NOTE,
    PRIVATE_HOUSEHOLDS,
    DistanceCurves,
)
from tokumei.apps.papers.household_study import ORIGINAL
from tokumei.apps.papers.reproduction import printed_only
from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message, join_sentences
from tokumei.pages.curve_page import ChartPanel
from tokumei.tables.diagnosis.effect_symbols import SYMBOL_ORDER, paper_symbol
from tokumei.tables.diagnosis.infer_methods import infer_methods
from tokumei.tables.report.report_context import build_attack_table

FIGURE1_AXES = ("U4", "E3")
FIVE_ATTACKS = ("E1", "E2", "E3", "E4", "EUC1")
HALF_TEN_THOUSANDTH = 0.00005
"""Half of the last printed digit of a rate."""
PRIVATE_RELEASES = Message("The releases of the twelve contest teams are not public.")


class DistanceAttackPaper(DistanceCurves):
    """The blocks of the paper."""

    def table7(self) -> ComputedBlock:
        """Which part of the table each method changed, in every draw."""
        printed = self.published_block("table7")
        methods = ", ".join(
            f"{name} {steps[0]['method']}" for name, steps in self.recipe["releases"].items()
        )
        changed_parts = [
            {study.changed_part(name) for study in self.studies}
            for name in printed.column("release")
        ]
        rows = [[None, None, " / ".join(sorted(parts))] for parts in changed_parts]
        return ComputedBlock(rows, note=Message("Here: {methods}.", methods=methods))

    def table10(self) -> ComputedBlock:
        """Which methods have an effect, by measurements on every draw."""
        printed = self.published_block("table10")
        forms = [
            self._effect_check(
                "EUC1" if key == "EUC" else key,
                tuple(symbol != NO_EFFECT[key[0]] for symbol in symbols),
                Message("The authors expect effects here and measure none."),
            )
            for key, *symbols in printed.rows
        ]
        why = Message("The symbols are the authors' expectations; no limits are given for them.")
        return ComputedBlock(forms=forms, why=why, note=GENERATED_DATA_NOTE)

    def table11(self) -> ComputedBlock:
        """Ours of generated households beside the printed; which releases have an effect."""
        printed = self.published_block("table11")
        names = printed.columns[1:]
        rows = [
            [key, *(self.study.figures[name][key] for name in names)]
            for key in printed.column("measure")
        ]
        forms = [
            self._effect_check(
                key,
                tuple(_has_effect(key, value, original) for value in values),
                Message("The paper's households and its program are not public."),
            )
            for key, original, *values in printed.rows
        ]
        return ComputedBlock(
            rows, illustrated=True, forms=forms, why=PRIVATE_HOUSEHOLDS, note=GENERATED_DATA_NOTE
        )

    def _effect_check(self, key: str, paper: tuple[bool | None, ...], reason: Message) -> FormCheck:
        """Which of the eight releases have an effect; None where rounding hides it."""
        names = list(self.recipe["releases"])
        forms: list[tuple[bool | None, ...]] = []
        for study in self.studies:
            original = study.figures[ORIGINAL][key]
            effects = [_has_effect(key, study.figures[name][key], original) for name in names]
            forms.append(
                tuple(
                    None if hidden is None else effect
                    for effect, hidden in zip(effects, paper, strict=True)
                )
            )
        misses = {
            name: sum(form[place] != paper[place] for form in forms)
            for place, name in enumerate(names)
        }
        missed = ", ".join(f"{name} ({count})" for name, count in misses.items() if count)
        other = Message(
            "{measure}: ours has another effect, in so many of {draws} draws, at {missed}.",
            measure=key,
            draws=len(forms),
            missed=missed,
        )
        explanation = join_sentences([other, reason])
        label = Message("{measure}: the same releases have an effect", measure=key)
        return FormCheck(label, paper, forms, explanation=explanation)

    table12 = printed_only(PRIVATE_RELEASES)

    def table13(self) -> ComputedBlock:
        """The methods that the symbols speak for, beside those that the authors guessed."""
        printed = self.published_block("table13")
        names = printed.columns[1:]
        inferred = {
            name: infer_methods(
                {row[0]: row[place] for row in printed.rows if not row[0].startswith("method_")}
            )
            for place, name in enumerate(names, start=1)
        }
        rows: list[Sequence[object] | None] = [
            [None, *("○" if key[-1] in inferred[name] else "-" for name in names)]
            if key.startswith("method_")
            else None
            for key in printed.column("row")
        ]
        guessed = Message(
            "The authors guessed by hand; ours is the smallest set of methods whose effects, as "
            "Table 10 expects them, come nearest to the symbols."
        )
        limits = Message(
            "The symbols themselves stand for private figures and follow no printed limits. "
            "Limits that we fitted to them give {same} of {all} cells (`tokumei diagnose "
            "--symbols paper`).",
            same=sum(self._symbols_by_fitted_limits),
            all=len(self._symbols_by_fitted_limits),
        )
        return ComputedBlock(rows, explanations=dict.fromkeys(names, guessed), why=limits)

    @property
    def _symbols_by_fitted_limits(self) -> list[bool]:
        """For every symbol of Table 13 whether our fitted limits give it, from Tables 12 and 15."""
        table12 = {row[0]: row[1:] for row in self.published_block("table12").rows}
        rates = list(zip(*(row[1:6] for row in self.published_block("table15").rows), strict=True))
        table12 |= dict(zip(FIVE_ATTACKS, rates, strict=True))
        return [
            paper_symbol(row[0], value) == symbol
            for row in self.published_block("table13").rows
            if row[0] in table12
            for value, symbol in zip(table12[row[0]], row[1:], strict=True)
        ]

    def table14(self) -> ComputedBlock:
        """The strongest effect of two methods, beside the release that has both."""
        printed = self.published_block("table14")
        rows = [
            [None, None, None, _stronger_symbol(key, first, second)]
            for key, first, second, _ in printed.rows
        ]
        combined = Message(
            "Ours is the stronger of the two effects, as the text says that a combination has "
            "both; the release was measured, and other methods may be in it."
        )
        return ComputedBlock(rows, explanations={"D10": combined}, why=PRIVATE_RELEASES)

    def table15(self) -> ComputedBlock:
        """The best attack of every release, and means, deviations and wins of every attack."""
        printed = self.published_block("table15")
        rates = [dict(zip(FIVE_ATTACKS, row[1:6], strict=True)) for row in printed.rows]
        table = build_attack_table(printed.column("release"), rates)
        rows = [
            [None] * 6 + [", ".join(line.attack for line in table.lines if line.best[number])]
            for number in range(len(rates))
        ]
        stated = []
        for line in table.lines:
            name = line.attack
            cells = [rate[name] for rate in rates]
            printed_sd = printed.entry["sd"][name]
            of_13_cells = float(np.std([*cells, printed.entry["mean"][name]]))
            proven = abs(of_13_cells - printed_sd) <= 2 * HALF_TEN_THOUSANDTH
            sd = float(np.std(cells))
            stated += [
                StatedValue(
                    Message("mean of {name}", name=name),
                    printed.entry["mean"][name],
                    line.mean,
                    4,
                    slack=HALF_TEN_THOUSANDTH,
                ),
                StatedValue(
                    Message("sd of {name}", name=name),
                    printed_sd,
                    sd,
                    4,
                    corrected=sd if proven else None,
                ),
                StatedValue(
                    Message("wins of {name}", name=name), printed.entry["wins"][name], line.wins
                ),
            ]
        return ComputedBlock(rows, beside=stated, why=PRIVATE_RELEASES)

    def figure1(self) -> ComputedBlock:
        """U4 against E3: the paper's points hollow, those of generated households filled.

        The recipe may name other figures of Table 11 for the axes; the forms stay those two.
        """
        printed = self.published_block("figure1").entry["points"]
        own_axes = (self.recipe["x"], self.recipe["y"]) == FIGURE1_AXES
        computed_points = self._measured_points(self.recipe["x"], self.recipe["y"])
        published_points = printed if own_axes else self._points_of_table11()
        points = merge_coinciding_points(published_points, PAPER_SIDE) + merge_coinciding_points(
            computed_points, COMPUTED_SIDE
        )
        own_points = self._measured_points(*FIGURE1_AXES)
        yamaoka = Message(
            "C (Yamaoka): values unchanged, link false. Names at one point stand together."
        )
        return ComputedBlock(
            [[name, list(map(float, own_points[name]))] for name in printed],
            illustrated=True,
            forms=self._figure1_forms(printed),
            why=PRIVATE_HOUSEHOLDS,
            note=join_sentences([GENERATED_DATA_NOTE, yamaoka]),
            panels=[self._figure1_panel(points, own_axes=own_axes)],
        )

    def _figure1_panel(self, points: Sequence[dict[str, object]], *, own_axes: bool) -> ChartPanel:
        x, y = self.recipe["x"], self.recipe["y"]
        heading = Message("{x} against {y}", x=x, y=y)
        if own_axes:
            axes = (Message.verbatim("U4 (corMAE)"), Message.verbatim("E3 (identify.sort)"))
            return points_panel("figure1", heading, *axes, points)
        return plain_points_panel(
            "figure1", heading, Message.verbatim(x), Message.verbatim(y), points
        )

    def _figure1_forms(self, printed: Mapping[str, Sequence[float]]) -> list[FormCheck]:
        """Which releases have an effect on U4 and on E3."""
        columns = list(zip(*printed.values(), strict=True))
        return [
            self._effect_check(
                key,
                tuple(_has_effect(key, value, column[0]) for value in column[1:]),
                Message("The paper's households and its program are not public."),
            )
            for key, column in zip(FIGURE1_AXES, columns, strict=True)
        ]

    def _measured_points(self, x: str, y: str) -> dict[str, tuple[float, float]]:
        """Two figures of every release of ours."""
        for name in (x, y):
            if name not in self.study.figures[ORIGINAL]:
                raise UnknownNameError(Message("figure"), name, list(self.study.figures[ORIGINAL]))
        return {name: (values[x], values[y]) for name, values in self.study.figures.items()}

    def _points_of_table11(self) -> dict[str, list[float]]:
        """The same two as the paper's Table 11 prints them."""
        table11 = self.published_block("table11")
        lines = {row[0]: row[1:] for row in table11.rows}
        pairs = zip(lines[self.recipe["x"]], lines[self.recipe["y"]], strict=True)
        return {name: list(pair) for name, pair in zip(table11.columns[1:], pairs, strict=True)}


def _has_effect(key: str, value: float, original: float) -> bool | None:
    """Whether a figure is another than the original's; None where rounding may hide it.

    Losses and class sizes have changed when they are not the same, attacks when they find at
    least a tenth less.
    """
    if key[0] == "E":
        return bool(value < original - LOWER_SUCCESS * max(original, LEAST_SUCCESS))
    if isinstance(value, float) and value == 0.0 and key[0] == "U" and isinstance(original, int):
        return None
    return bool(abs(value - original) > UNCHANGED)


def _stronger_symbol(key: str, first: str, second: str) -> str:
    """The stronger of two effects."""
    return max((first, second), key=SYMBOL_ORDER[key[0]].index)


NO_EFFECT = {"U": "-", "S": "×", "E": "×"}
LOWER_SUCCESS, LEAST_SUCCESS, UNCHANGED = 0.1, 0.1, 1e-9

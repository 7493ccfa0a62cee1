"""Figures 2 to 6 of paper 003 and its run time: EUC1 on generated households."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partialmethod
from itertools import pairwise

from tokumei.apps.papers.charts import COMPUTED_SIDE, lines_panel
from tokumei.apps.papers.comparison import ComputedBlock, FormCheck
from tokumei.apps.papers.distance_examples import DistanceExamples
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.household_study import CurveBy, HouseholdStudy
from tokumei.apps.papers.reproduction import PICTURE
from tokumei.core.messages import Message, join_sentences
from tokumei.pages.palette import bilingual_columns

GENERATED_DATA_NOTE = Message(
    "The paper's data is private: ours are generated households, so that only the form can be "
    "compared."
)


class DistanceCurves(DistanceExamples):
    """What grows with the columns and rows that EUC1 uses."""

    @cached_property
    def studies(self) -> list[HouseholdStudy]:
        """The same study on several draws of households."""
        first = self.recipe["seed"]
        return [
            HouseholdStudy.of(self.recipe, seed=first + number)
            for number in range(self.recipe["seeds"])
        ]

    @property
    def study(self) -> HouseholdStudy:
        """The one whose figures are shown."""
        return self.studies[0]

    def _curve_block(self, name: str, by: CurveBy, *, work: bool) -> ComputedBlock:
        """The work or success of EUC1 against what is used, in every draw."""
        curves = [study.distances(by) if work else study.success(by) for study in self.studies]
        rows: list[dict[str, object]] = [
            {
                "x": used,
                **bilingual_columns(LINE_LABEL),
                "value": value,
                "best": False,
                **bilingual_columns(COMPUTED_SIDE, "side_"),
            }
            for used, value in curves[0]
        ]
        y = Message("differences computed") if work else Message("share found")
        shape = self.published_block(name).rows[0][1]
        panel = lines_panel(name, self.published_block(name).title, AXIS_LABELS[by], y, rows)
        has_shape = CURVE_SHAPES.get(shape, _no_such_shape)
        form = FormCheck(
            Message("shape: {shape}", shape=describe_heading(shape)),
            shape,
            [shape if has_shape([value for _, value in curve]) else "" for curve in curves],
            explanation=OTHER_SHAPE,
        )
        note = WORK_NOTE if work else GENERATED_DATA_NOTE
        return ComputedBlock([None], forms=[form], why=PICTURE, note=note, panels=[panel])

    figure2 = partialmethod(_curve_block, "figure2", "qi", work=True)
    figure3 = partialmethod(_curve_block, "figure3", "qi", work=False)
    figure4 = partialmethod(_curve_block, "figure4", "sa", work=True)
    figure5 = partialmethod(_curve_block, "figure5", "sa", work=False)
    figure6 = partialmethod(_curve_block, "figure6", "rows", work=True)

    @cached_property
    def large_study(self) -> HouseholdStudy:
        """As many households as the contest's data has."""
        rows = self.recipe["study_rows"]
        return HouseholdStudy.of(self.recipe, seed=self.recipe["seed"], rows=rows)

    def runtime(self) -> ComputedBlock:
        """Thirteen against six QI on as many households as the paper has."""
        printed = self.published_block("runtime")
        study = self.large_study
        work, found = dict(study.distances("qi")), dict(study.success("qi"))
        paper, ours = (
            [(figures[q][place] > figures[13][place]) for q in (6,) for place in (0, 1)]
            for figures in (
                {row[0]: row[1:] for row in printed.rows},
                {q: (work[q], found[q]) for q in (6, 13)},
            )
        )
        forms = [
            FormCheck(
                Message("six QI take more time than thirteen, and find more"),
                paper,
                [ours],
                explanation=OTHER_SHAPE,
            )
        ]
        note = Message(
            "Ours on {rows:,} generated households: EUC1 finds {all_qi:.1%} by 13 QI and {six:.1%} "
            "by 6, which take {times:.1f} times the differences.",
            rows=study.original.rows,
            all_qi=found[13],
            six=found[6],
            times=work[6] / work[13],
        )
        if self.recipe["times"]:
            seconds = study.attack_seconds()
            shown = ", ".join(f"{name} {value:.2f} s" for name, value in seconds.items())
            note = join_sentences([note, Message("Run times here: {seconds}.", seconds=shown)])
        return ComputedBlock(forms=forms, why=PRIVATE_HOUSEHOLDS, note=note)


def _never_rises(values: Sequence[float]) -> bool:
    return all(after <= before for before, after in pairwise(values))


def _never_falls(values: Sequence[float]) -> bool:
    return all(after >= before - FLAT for before, after in pairwise(values))


def _is_flat(values: Sequence[float]) -> bool:
    return max(values) - min(values) <= FLAT


def _no_such_shape(values: Sequence[float]) -> bool:
    return False


FLAT = 0.02
"""How far shares may lie apart that look flat in a picture."""
CURVE_SHAPES: dict[str, Callable[[Sequence[float]], bool]] = {
    "falling": lambda values: _never_rises(values) and values[-1] < values[0],
    "rising": lambda values: values == sorted(values) and values[-1] > values[0],
    "rising, noisy": lambda values: values[-1] > values[0],
    "rising, flat from |q| = 5": lambda values: _never_falls(values) and _is_flat(values[4:]),
    "flat": _is_flat,
}
LINE_LABEL = Message.verbatim("EUC1")
PRIVATE_HOUSEHOLDS = Message(
    "The paper's 100 households are a draw from microdata that we do not have."
)
OTHER_SHAPE = Message(
    "The paper's households are not public; on generated ones the form is another one."
)
WORK_NOTE = Message(
    "Seconds change from run to run; here the differences that EUC1 computes are counted, which "
    "its time follows."
)
AXIS_LABELS = {
    "qi": Message("quasi-identifiers used"),
    "sa": Message("sensitive columns used"),
    "rows": Message("rows", context="a number"),
}

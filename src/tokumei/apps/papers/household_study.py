"""Eight single methods on generated households, attacked and measured: paper 003 on other data.

study = HouseholdStudy.of(recipe, seed=1)
study.figures["DB"]["E3"]            # what the sort attack finds after noise
study.distances("qi")                # how many distances EUC1 computes, by QI used
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from tokumei.apps.papers.published_values import Settings
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.tables.data.table import Release, Table
from tokumei.tables.flow import anonymize, sample
from tokumei.tables.services.attack import attack_table
from tokumei.tables.services.attack_curve import draw_attack_curve
from tokumei.tables.services.comparison_requests import (
    AttackCurveRequest,
    AttackTableRequest,
    ComparisonRequest,
    MeasureTableRequest,
)
from tokumei.tables.services.measure import measure_table

ATTACKS = ("E1", "E2", "E3", "E4", "EUC1", "EUC2")
MEASURES = ("U1", "U2", "U3", "U4", "U5", "U6", "S1", "S2")
ORIGINAL = "Original"
CurveBy = Literal["qi", "sa", "rows"]


@dataclass(frozen=True, eq=False)
class HouseholdStudy:
    """A table, its eight releases, and what is measured of each."""

    recipe: Settings
    seed: int
    original: Table

    @classmethod
    def of(cls, recipe: Settings, *, seed: int, rows: int | None = None) -> HouseholdStudy:
        """Generated households."""
        return cls(recipe, seed, Table.of(sample(rows or recipe["rows"], seed=seed)))

    @cached_property
    def comparisons(self) -> dict[str, ComparisonRequest]:
        """The original beside itself and the eight releases."""
        requests = {ORIGINAL: self._compare_original()}
        for name, steps in self.recipe["releases"].items():
            release = anonymize(self.original, steps, seed=self.seed)
            requests[name] = ComparisonRequest(original=self.original, release=release)
        return requests

    def _compare_original(self) -> ComparisonRequest:
        rows = np.arange(self.original.rows)
        return ComparisonRequest(original=self.original, release=self.original, link=rows)

    @cached_property
    def figures(self) -> dict[str, dict[str, float]]:
        """Measures and attacks of every one of them."""
        return {name: self._measure(comparison) for name, comparison in self.comparisons.items()}

    def _measure(self, comparison: ComparisonRequest) -> dict[str, float]:
        cells = {name: {"cells": self.recipe["cells"]} for name in ("U2", "U3")}
        measured = measure_table(
            MeasureTableRequest(comparison=comparison, methods=MEASURES, params=cells)
        )
        attacked = attack_table(
            AttackTableRequest(
                comparison=comparison,
                methods=ATTACKS,
                params=self.recipe["attacks"],
                expected=True,
            )
        )
        figures = {key: score.value for key, score in measured.scores.items()}
        return figures | {key: rate.rate for key, rate in attacked.rates.items()}

    def changed_part(self, name: str) -> str:
        """What a release changed: rows, QI, SA, or the ID alone."""
        release = self.comparisons[name].release
        assert isinstance(release, Release)
        schema, link = self.original.schema, release.link
        before, after = self.original.frame, release.public.frame
        if after.height != before.height:
            return "rows"
        if sorted(_cell_texts(before)) == sorted(_cell_texts(after.select(before.columns))):
            return "ID"
        aligned = after[np.argsort(link, kind="stable")]
        for part, columns in (("QI", schema.qi), ("SA", schema.sa)):
            if _cell_texts(before.select(columns)) != _cell_texts(aligned.select(columns)):
                return part
        return ""

    def distances(self, by: CurveBy) -> list[tuple[int, int]]:
        """Numbers that EUC1 subtracts, against the QI, SA or rows that are used.

        Rows with equal QI are compared in every SA: all rows among themselves, without an index.
        """
        frame, schema = self.original.frame, self.original.schema
        qi, sa, rows = list(schema.qi), len(schema.sa), frame.height
        if by == "qi":
            uses = [(count, qi[:count], sa, rows) for count in range(1, len(qi) + 1)]
        elif by == "sa":
            uses = [(count, qi[:1], count, rows) for count in range(1, sa + 1)]
        else:
            counts = [rows * step // ROW_STEPS for step in range(1, ROW_STEPS + 1)]
            uses = [(count, qi[:1], sa, count) for count in counts]
        return [
            (
                used,
                int((np.bincount(equivalence_class_codes(frame.head(height), names)) ** 2).sum())
                * columns,
            )
            for used, names, columns, height in uses
        ]

    def success(self, by: CurveBy) -> list[tuple[int, float]]:
        """The share that EUC1 finds in the release with noise, against what is used."""
        comparison = self.comparisons["DB"]
        if by == "rows":
            schema = self.original.schema
            comparison = replace(comparison, qi=tuple(schema.qi[:1]), sa=tuple(schema.sa))
        request = AttackCurveRequest(
            comparison=comparison, by=by, methods=("EUC1",), seed=self.seed
        )
        return [(point.used, point.rate) for point in draw_attack_curve(request).points]

    def attack_seconds(self, attacks: Sequence[str] = ATTACKS) -> dict[str, float]:
        """How long each attack on the release with noise takes on this machine."""
        seconds = {}
        for name in attacks:
            start = time.perf_counter()
            attack_table(
                AttackTableRequest(
                    comparison=self.comparisons["DB"],
                    methods=(name,),
                    params={name: self.recipe["attacks"].get(name, {})},
                )
            )
            seconds[name] = time.perf_counter() - start
        return seconds


def _cell_texts(frame: pl.DataFrame) -> list[tuple[str, ...]]:
    """The rows as text, whole numbers without places."""
    return [tuple(str(cell).removesuffix(".0") for cell in row) for row in frame.iter_rows()]


ROW_STEPS = 10
"""Row counts at which the distances are counted."""

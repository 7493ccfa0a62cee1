"""Paper 003 on another table: eight single methods and their pairs, attacked and measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partialmethod
from typing import ClassVar

import numpy as np

from tokumei.apps.papers.charts import (
    COMPUTED_SIDE,
    lines_panel,
    merge_coinciding_points,
    plain_points_panel,
)
from tokumei.apps.papers.distance_curves import AXIS_LABELS, LINE_LABEL, WORK_NOTE
from tokumei.apps.papers.household_study import ATTACKS, ORIGINAL, CurveBy, HouseholdStudy
from tokumei.apps.papers.own.own_table_examples import OwnTableExamples, read_own_table
from tokumei.apps.papers.own.study import MadeTable
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pages.palette import bilingual_columns
from tokumei.tables.data.table import Table
from tokumei.tables.diagnosis.diagnose import diagnose
from tokumei.tables.diagnosis.effect_symbols import EXPECTED_SYMBOLS
from tokumei.tables.diagnosis.infer_methods import infer_methods
from tokumei.tables.report.report_context import build_attack_table
from tokumei.tables.services.open_comparison import open_comparison

FIVE_ATTACKS = ("E1", "E2", "E3", "E4", "EUC1")
CROSS_COLUMNS = 6
"""So many QI are in the cross table."""


@dataclass(frozen=True, eq=False)
class OwnTable(OwnTableExamples):
    """The blocks of the paper."""

    number: ClassVar[str] = "003"
    defaults: ClassVar[Mapping[str, object]] = {
        "qi": None,
        "sa": None,
        "id": None,
        "rows": 0,
        "seed": 1,
        "k": 3,
        "noise": 0.05,
        "delete": 0.1,
        "unify_outside": None,
        "unify_inside": None,
        "E2": None,
        "E4": None,
        "pairs": "DA+DF,DB+DE,DD+DG",
        "x": "U4",
        "y": "E3",
        "cells": "either",
    }

    @cached_property
    def original(self) -> Table:
        """The table with the columns that were chosen."""
        return read_own_table(self)

    @property
    def recipe(self) -> dict[str, object]:
        """The study as a recipe of the paper's has it."""
        qi, sa = self.original.schema.qi, self.original.schema.sa
        columns = {name: self.settings.text(name) for name in ("E2", "E4")}
        return {
            "releases": {**self.single_methods(qi), **self.method_pairs(qi)},
            "attacks": {
                "E2": {"column": columns["E2"] or sa[0]},
                "E4": {"column": columns["E4"] or sa[-1]},
            },
            "cells": self.settings.text("cells"),
        }

    def single_methods(self, qi: Sequence[str]) -> dict[str, list[dict[str, object]]]:
        """DA to DH."""
        outside = self.settings.names("unify_outside") or tuple(qi[CROSS_COLUMNS:] or qi[-1:])
        inside = self.settings.names("unify_inside") or tuple(qi[:1])
        return {
            "DA": [{"method": "mondrian", "k": self.settings.integer("k")}],
            "DB": [{"method": "noise", "scale": self.settings.number("noise")}],
            "DC": [{"method": "yamaoka"}],
            "DD": [{"method": "unify", "columns": list(outside)}],
            "DE": [{"method": "unify", "columns": list(inside)}],
            "DF": [{"method": "microaggregate"}],
            "DG": [{"method": "swap"}],
            "DH": [{"method": "delete", "share": self.settings.number("delete")}],
        }

    def method_pairs(self, qi: Sequence[str]) -> dict[str, list[dict[str, object]]]:
        """Two methods, one after the other."""
        single = self.single_methods(qi)
        pairs = {}
        for name in self.settings.names("pairs") or ():
            parts = name.split("+")
            if len(parts) != 2 or not set(parts) <= set(single):
                raise UsageError("--set pairs: write DA+DF, not {pair}", pair=name)
            pairs[name] = single[parts[0]] + single[parts[1]]
        return pairs

    @cached_property
    def study(self) -> HouseholdStudy:
        """The releases, attacked and measured."""
        return HouseholdStudy(self.recipe, self.settings.integer("seed"), self.original)

    @property
    def single_names(self) -> list[str]:
        """DA to DH."""
        return list(self.single_methods(self.original.schema.qi))

    @property
    def pair_names(self) -> list[str]:
        """DA+DF and so on."""
        return list(self.method_pairs(self.original.schema.qi))

    @cached_property
    def symbols(self) -> dict[str, dict[str, str]]:
        """The measured effects of every release as symbols."""
        return {
            name: {
                effect.measure: effect.measured
                for effect in diagnose(
                    open_comparison(self.study.comparisons[name]).case,
                    rng=Randomness(self.settings.integer("seed")),
                ).effects
            }
            for name in (*self.single_names, *self.pair_names)
        }

    def _symbol_rows(self, names: Sequence[str]) -> list[list[object]]:
        return [[key, *(self.symbols[name][key] for name in names)] for key in EXPECTED_SYMBOLS]

    def table10(self) -> MadeTable:
        """What the eight methods do, measured."""
        title = Message("Measured effect of the eight methods")
        return MadeTable(self._symbol_rows(self.single_names), title=title)

    def _figure_rows(self, names: Sequence[str]) -> list[list[object]]:
        keys = list(self.study.figures[ORIGINAL])
        return [[key, *(self.study.figures[name][key] for name in names)] for key in keys]

    def table11(self) -> MadeTable:
        """Measures of the original and the eight releases."""
        title = Message(
            "Measures of the original and the eight releases ({rows:,} rows)",
            rows=self.original.rows,
        )
        return MadeTable(self._figure_rows([ORIGINAL, *self.single_names]), title=title)

    def table12(self) -> MadeTable:
        """Measures of the releases by two methods."""
        columns = _name_columns("measure", self.pair_names)
        title = Message("Measures of the releases by two methods")
        return MadeTable(self._figure_rows(self.pair_names), columns, title=title)

    def table13(self) -> MadeTable:
        """Their symbols, and the methods that these speak for."""
        inferred = {name: infer_methods(self.symbols[name]) for name in self.pair_names}
        rows = self._symbol_rows(self.pair_names)
        methods = [
            ", ".join(f"D{letter}" for letter in inferred[name]) or None for name in self.pair_names
        ]
        columns = _name_columns("row", self.pair_names)
        title = Message("The same as symbols, and the methods inferred from them")
        return MadeTable([*rows, [INFERRED, *methods]], columns, title=title)

    def table14(self) -> MadeTable:
        """Symbols of two methods and of both together."""
        pair = self.pair_names[0]
        names = [*pair.split("+"), pair]
        columns = _name_columns("measure", names)
        title = Message("Symbols of two methods and of both together")
        return MadeTable(self._symbol_rows(names), columns, title=title)

    def table15(self) -> MadeTable:
        """Success of five attacks, with means, deviations and wins."""
        names = [*self.single_names, *self.pair_names]
        rates = [{key: self.study.figures[name][key] for key in FIVE_ATTACKS} for name in names]
        lines = build_attack_table(names, rates).lines
        rows: list[list[object]] = [
            [
                name,
                *(rate[key] for key in FIVE_ATTACKS),
                ", ".join(line.attack for line in lines if line.best[place]),
            ]
            for place, (name, rate) in enumerate(zip(names, rates, strict=True))
        ]
        cells = np.array([[rate[key] for key in FIVE_ATTACKS] for rate in rates])
        rows += [[MEAN, *cells.mean(axis=0).tolist(), ""], [SD, *cells.std(axis=0).tolist(), ""]]
        rows += [[WINS, *(line.wins for line in lines), ""]]
        title = Message("Success of five attacks on the releases")
        return MadeTable(rows, title=title)

    def figure1(self) -> MadeTable:
        """Two figures of every release against each other; which, can be chosen."""
        x, y = (self.settings.text(name) for name in ("x", "y"))
        known = list(self.study.figures[ORIGINAL])
        for name in (x, y):
            if name not in known:
                raise UsageError(
                    "--set: no figure {name}; there are {known}", name=name, known=", ".join(known)
                )
        names = [ORIGINAL, *self.single_names]
        places = {name: self.study.figures[name] for name in names}
        pairs = {name: (place[x], place[y]) for name, place in places.items()}
        points = merge_coinciding_points(pairs, COMPUTED_SIDE)
        heading = Message("{x} against {y}", x=x, y=y)
        panel = plain_points_panel(
            "figure1", heading, Message.verbatim(x), Message.verbatim(y), points
        )
        rows = [[name, place[x], place[y]] for name, place in places.items()]
        columns = ("release", Message.verbatim(x), Message.verbatim(y))
        return MadeTable(rows, columns, panels=[panel], title=heading)

    def _curve(self, name: str, by: CurveBy, *, work: bool) -> MadeTable:
        """The work or success of EUC1 against what is used."""
        curve = self.study.distances(by) if work else self.study.success(by)
        points: list[dict[str, object]] = [
            {
                "x": used,
                **bilingual_columns(LINE_LABEL),
                "value": value,
                "best": False,
                **bilingual_columns(COMPUTED_SIDE, "side_"),
            }
            for used, value in curve
        ]
        y = Message("differences computed") if work else Message("share found")
        title = Message("{value} against {used}", value=y, used=AXIS_LABELS[by])
        panel = lines_panel(name, title, AXIS_LABELS[by], y, points)
        rows = [[used, value] for used, value in curve]
        note = WORK_NOTE if work else None
        return MadeTable(rows, [AXIS_LABELS[by], y], note=note, panels=[panel], title=title)

    figure2 = partialmethod(_curve, "figure2", "qi", work=True)
    figure3 = partialmethod(_curve, "figure3", "qi", work=False)
    figure4 = partialmethod(_curve, "figure4", "sa", work=True)
    figure5 = partialmethod(_curve, "figure5", "sa", work=False)
    figure6 = partialmethod(_curve, "figure6", "rows", work=True)

    def runtime(self) -> MadeTable:
        """How long each of the six attacks takes on the release with noise, and what it finds."""
        seconds = self.study.attack_seconds()
        found = self.study.figures["DB"]
        rows = [[name, round(seconds[name], 3), found[name]] for name in ATTACKS]
        title = Message("Six attacks on {rows:,} rows with noise", rows=self.original.rows)
        return MadeTable(rows, ("attack", SECONDS, "rate"), title=title)


def _name_columns(first: str, names: Sequence[str]) -> list[str | Message]:
    """The headings of a table with a column per release."""
    return [first, *map(Message.verbatim, names)]


INFERRED = Message("methods inferred")
MEAN, SD, WINS = Message("mean"), Message("standard deviation"), Message("best on so many")
SECONDS = Message("seconds here")

"""Studio adapter of purchase histories, and shared parts for kinds of purchases."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.studio.adapters.base import (
    COMPARISON_SEED,
    RELEASE_NAME,
    Released,
    Source,
    StudioAdapter,
)
from tokumei.apps.studio.store.contest_source import read_contest_format
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import (
    CandidateRecord,
    PlainData,
    ProfileRecord,
    RequestRecord,
)
from tokumei.core.messages import Message
from tokumei.core.yaml_models import validate_model

if TYPE_CHECKING:
    import polars as pl

    from tokumei.core.advice.adviser import Adviser
    from tokumei.core.recipe import Experiment
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease


PREVIEW_ROWS = 6
PURCHASE_COLUMNS = ("day", "item", "price", "quantity")
CURVE_KS = (2, 3, 5, 10, 20)


class PurchasesAdapter(StudioAdapter[Source, Released]):
    """A kind whose rows say who bought what, and when."""

    parts: ClassVar = {
        "customer": Message("who bought"),
        "day": Message("day", context="a column"),
        "item": Message("article"),
        "price": Message("price"),
        "quantity": Message("quantity"),
    }

    def purpose_columns(self, state: ProjectState) -> list[str]:
        """The columns of a purchase."""
        return list(PURCHASE_COLUMNS)

    def usual(self, state: ProjectState) -> set[str]:
        """Day and article, which a witness sees."""
        return {"day", "item"}

    def history_part(self, state: ProjectState, file: str) -> PlainData:
        """How a purchase history is read."""
        if state.contest is not None:
            return {"file": file, "format": read_contest_format(state.contest)}
        part: PlainData = {"file": file, "format": "table", "columns": dict(state.columns)}
        said = state.reading.options()
        part |= {name: said[name] for name in ("sep", "encoding", "date_order") if name in said}
        return part | ({"no_normalize": off} if (off := _rules_off(state)) else {})

    def read_command(self, state: ProjectState) -> list[str]:
        """The same as options."""
        if state.contest is not None:
            return ["--format", read_contest_format(state.contest)]
        columns = ",".join(f"{part}={name}" for part, name in state.columns.items())
        off = _rules_off(state)
        command = ["--format", "table", "--columns", columns]
        return [*command, "--no-normalize", ",".join(off)] if off else command

    def read_python(self, state: ProjectState) -> str:
        """The same as an expression."""
        off = _rules_off(state)
        more = f", no_normalize={off!r}" if off else ""
        return f"tk.read_history({state.source!r}, columns={dict(state.columns)!r}{more})"

    def history(self, project: Project, state: ProjectState) -> History:
        """The purchases as a recipe reads them."""
        from tokumei.histories.recipe import HistorySpec
        from tokumei.histories.services.read import read_history

        spec = validate_model(HistorySpec, self.history_part(state, str(project.source)), "history")
        return read_history(spec.history_source()).history

    def advise_command(self, state: ProjectState, options: list[str]) -> list[str]:
        """File and layout."""
        return ["tokumei", "advise", state.source, *self.read_command(state), *options]

    def advise_python(self, state: ProjectState) -> tuple[str, str]:
        """The history."""
        return self.read_python(state), ""

    def anonymize_python(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """One method."""
        (step,) = request["steps"]
        parameters_text = "".join(
            f", {key}={value!r}" for key, value in step.items() if key != "method"
        )
        return [
            f"history = {self.advise_python(state)[0]}",
            f"release = tk.anonymize(history, {step['method']!r}{parameters_text})",
        ]

    def adviser(self, source: Source, project: Project, state: ProjectState) -> Adviser:
        """The adviser of the purchases."""
        from tokumei.apps.studio.command_equivalents import to_purpose
        from tokumei.kinds import kind_of

        return kind_of(source).adviser(source, to_purpose(state), seed=COMPARISON_SEED)


def _rules_off(state: ProjectState) -> list[str]:
    """The rules of reading cells that somebody switched off, of those that histories have."""
    from tokumei.histories.data.normalization import NORMALIZATION_RULES

    return [rule for rule in state.off if rule in NORMALIZATION_RULES]


def compare_rows(
    before: pl.DataFrame, after: pl.DataFrame, rows: list[int], left_out: int
) -> PlainData:
    """The same rows of two frames of text; customers before as shapes."""
    from tokumei.tables.profiling.value_shapes import cell_shape

    names = [name for name in before.columns if name in after.columns]

    def cells(frame: pl.DataFrame, row: int, masked: bool) -> list[list[object]]:
        row_cells = frame[row].select(names).row(0)
        return [
            [cell_shape(str(cell)), True] if masked and name == "customer" else [str(cell), False]
            for name, cell in zip(names, row_cells, strict=True)
        ]

    return {
        "columns": names,
        "before": [cells(before, row, True) for row in rows],
        "after": [cells(after, row, False) for row in rows],
        "left_out": left_out,
    }


def _curve_values(k: int, state: ProjectState, look: ProfileRecord) -> list[int]:
    """Values of k for a curve: none beyond the customers, where it is known how many there are."""
    person = look.get("person")
    is_customer = person is not None and person["column"] == state.columns.get("customer")
    most = max(k, person["people"] if person is not None and is_customer else 0)
    return sorted({k, *(value for value in CURVE_KS if value <= most)})


class HistoriesAdapter(PurchasesAdapter["History", "HistoryRelease"]):
    """Purchase histories, released whole; k is chosen by the curve."""

    title: ClassVar = Message("A purchase history: who bought what, when")
    curve: ClassVar = "k"
    curve_label: ClassVar = Message("k={value}")
    records: ClassVar = True

    def knows(self, candidate: CandidateRecord) -> Message:
        """All purchases."""
        return Message("all purchases of everybody")

    def recipe_source(self, state: ProjectState, look: ProfileRecord, file: str) -> PlainData:
        """The recipe's key `history`."""
        return {"history": self.history_part(state, file)}

    def recipe(
        self, state: ProjectState, look: ProfileRecord, request: RequestRecord, file: str
    ) -> PlainData:
        """The curve around the chosen k, and the release."""
        (step,) = request["steps"]
        k = int(str(step["k"]))
        return {
            "title": state.name,
            **self.recipe_source(state, look, file),
            "sweeps": [{**step, "k": _curve_values(k, state, look)}],
            "chosen": k,
            "releases": [{"name": RELEASE_NAME, **step}],
        }

    def anonymize_command(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """The file and how it is read."""
        command = ["tokumei", "anonymize", "history", "--data", state.source]
        return [*command, *self.read_command(state)]

    def load(self, project: Project, state: ProjectState, look: ProfileRecord) -> History:
        """The history."""
        return self.history(project, state)

    def last(self, adviser: Adviser) -> HistoryRelease | None:
        """The release that was measured just now."""
        from tokumei.histories.advice import HistoryAdviser

        assert isinstance(adviser, HistoryAdviser)
        return None if adviser.made is None else adviser.made[1]

    def beside(self, source: History, release: HistoryRelease, look: ProfileRecord) -> PlainData:
        """First rows before and after; customers as shapes and pseudonyms."""
        from tokumei.histories.data.generalized_history import format_history

        kept = release.rows.kept
        rows = [row for row in range(min(len(kept), 200)) if kept[row]][:PREVIEW_ROWS]
        return compare_rows(
            format_history(source), release.aligned_text(), rows, int((~kept).sum())
        )

    def released(self, experiment: Experiment) -> HistoryRelease | None:
        """The one release of the recipe."""
        from tokumei.histories.recipe import HistoryExperiment

        assert isinstance(experiment, HistoryExperiment)
        return experiment.releases.get(RELEASE_NAME)

"""Studio adapter of pseudonyms over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tokumei.apps.studio.adapters.base import RELEASE_NAME
from tokumei.apps.studio.adapters.histories import (
    PREVIEW_ROWS,
    PURCHASE_COLUMNS,
    PurchasesAdapter,
    compare_rows,
)
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import (
    CandidateRecord,
    PlainData,
    ProfileRecord,
    RequestRecord,
)
from tokumei.core.messages import Message
from tokumei.files.atomic_write import write_all
from tokumei.pseudonyms.kind import PSEUDONYMS

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser
    from tokumei.core.recipe import Experiment
    from tokumei.pseudonyms.data.period_history import PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease

PERIODS_FOLDER, DATA_FILE, MASTER_FILE = "periods", "T.csv", "M.csv"
"""The purchases and customers as recipes of this kind read them, in the project's folder."""


class PseudonymsAdapter(PurchasesAdapter["PeriodHistory", "PeriodRelease"]):
    """Purchase histories, released month by month; how long a pseudonym lives is chosen."""

    title: ClassVar = Message(
        "The same, followed over time: who bought what, under pseudonyms that change"
    )
    curve: ClassVar = "lifetime"
    curve_label: ClassVar = Message("{value} mo.")

    def knows(self, candidate: CandidateRecord) -> Message:
        """A part of the purchases."""
        return Message("a quarter of the purchases")

    def loss_title(self, name: str) -> Message:
        """Losses are those of measures."""
        from tokumei.pseudonyms.registry import measures

        title: Message = measures.get(name).title
        return title

    def recipe_source(self, state: ProjectState, look: ProfileRecord, file: str) -> PlainData:
        """The recipe's key `periods`."""
        folder = Path(file).parent
        return {"periods": {"file": str(folder / DATA_FILE), "master": str(folder / MASTER_FILE)}}

    def recipe(
        self, state: ProjectState, look: ProfileRecord, request: RequestRecord, file: str
    ) -> PlainData:
        """The release, attacked with the same knowledge as candidates."""
        return {
            "title": state.name,
            **self.recipe_source(state, look, file),
            "releases": [{"name": RELEASE_NAME, **request["steps"][0]}],
            "publish": RELEASE_NAME,
            "knowledge": {"alphas": [0.25, 1.0]},
        }

    def advise_command(self, state: ProjectState, options: list[str]) -> list[str]:
        """The curve of lifetimes."""
        return ["tokumei", "lifetime", "--data", state.source, *self.read_command(state)]

    def anonymize_command(self, state: ProjectState, request: RequestRecord) -> list[str]:
        """Purchases and customers."""
        files = ["--data", DATA_FILE, "--master", MASTER_FILE]
        return ["tokumei", "anonymize", "history", "--format", _format_name(), *files]

    def advise_python(self, state: ProjectState) -> tuple[str, str]:
        """The purchases, month by month."""
        return f"periods_of({self.read_python(state)})", ""

    def python_imports(self) -> list[str]:
        """The import of the function that splits purchases into months."""
        return ["from tokumei.pseudonyms.data.period_history import to_period_history"]

    def load(self, project: Project, state: ProjectState, look: ProfileRecord) -> PeriodHistory:
        """The purchases, month by month; written as a recipe reads them."""
        from tokumei.files.release_files import make_folder
        from tokumei.pseudonyms.data.period_history import to_period_history

        periods = to_period_history(self.history(project, state))
        folder = make_folder(project.folder / PERIODS_FOLDER)
        layout = PSEUDONYMS.formats.build(_format_name(), {"master": str(folder / MASTER_FILE)})
        write_all(layout.outputs(periods, folder / DATA_FILE))
        history: PeriodHistory = layout.read(folder / DATA_FILE)
        return history

    def recipe_file(self, project: Project) -> Path:
        """The purchases as recipes of this kind read them."""
        return project.folder / PERIODS_FOLDER / DATA_FILE

    def last(self, adviser: Adviser) -> PeriodRelease | None:
        """The release that was measured just now."""
        from tokumei.pseudonyms.advice import PeriodAdviser

        assert isinstance(adviser, PeriodAdviser)
        return None if adviser.made is None else adviser.made[1]

    def beside(
        self, source: PeriodHistory, release: PeriodRelease, look: ProfileRecord
    ) -> PlainData:
        """The first rows of one customer, whose pseudonym changes."""
        kept = release.rows.kept
        busiest = np.bincount(source.person[kept]).argmax()
        customer_rows = np.flatnonzero(kept & (source.person == busiest))
        rows = np.unique(
            customer_rows[np.linspace(0, len(customer_rows) - 1, PREVIEW_ROWS).astype(int)]
        ).tolist()
        names = ["customer", *PURCHASE_COLUMNS]
        frames = (source.frame.select(names), release.rows.cells.select(names))
        return compare_rows(*frames, rows, int((~kept).sum()))

    def released(self, experiment: Experiment) -> PeriodRelease | None:
        """The release that is published."""
        from tokumei.pseudonyms.recipe import PeriodExperiment

        assert isinstance(experiment, PeriodExperiment)
        entries = (entry for entry in experiment.board.entries if entry.name == RELEASE_NAME)
        return next((entry.release for entry in entries), None)


def _format_name() -> str:
    """How the kind's files are laid out."""
    return PSEUDONYMS.formats.names()[0]

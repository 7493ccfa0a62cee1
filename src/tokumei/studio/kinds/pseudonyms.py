"""What histories under changing pseudonyms bring to the studio: the curve of lifetimes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.files.atomic import write_all
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.studio.kinds.histories import COLUMNS, ROWS, StudioPurchases, beside_rows
from tokumei.studio.kinds.kind import NAME, SEED, Look, Request
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState

if TYPE_CHECKING:
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease

FOLDER, DATA, MASTER = "periods", "T.csv", "M.csv"
"""The purchases and customers as recipes of this kind read them, in the project's folder."""


class StudioPseudonyms(StudioPurchases):
    """Purchase histories, released month by month; how long a pseudonym lives is chosen."""

    title: ClassVar = Text(
        "The same, followed over time: who bought what, under pseudonyms that change",
        "購買履歴を追跡用に: 期間ごとに変わる仮名を付けて公開する",
    )
    curve: ClassVar = "lifetime"
    curve_label: ClassVar = Text("{} mo.", "{} か月")
    losses_title: ClassVar = Text("What each analysis loses", "分析ごとの損失")

    def knows(self, one: Mapping[str, Any]) -> Text:
        """A part of the purchases."""
        return Text("a quarter of the purchases", "購買の 4 分の 1")

    def loss_title(self, name: str) -> Text:
        """Losses are those of measures."""
        from tokumei.pseudonyms.registry import measures

        title: Text = measures.get(name).title
        return title

    def facts(self, one: Mapping[str, Any]) -> list[tuple[Text, float, str]]:
        """How long a pseudonym lives, and what is left."""
        months = Text("months that a pseudonym lives", "か月、同じ仮名を使う")
        lifetime = one["request"]["steps"][0]["lifetime"]
        return [(months, lifetime, "number"), *super().facts(one)[:1]]

    def source(self, state: ProjectState, look: Look, file: str) -> dict[str, Any]:
        """The recipe's key `periods`."""
        place = Path(file).parent
        return {"periods": {"file": str(place / DATA), "master": str(place / MASTER)}}

    def recipe(
        self, state: ProjectState, look: Look, request: Request, file: str
    ) -> dict[str, Any]:
        """The release, attacked with the same knowledge as candidates."""
        return {
            "title": state.name,
            **self.source(state, look, file),
            "releases": [{"name": NAME, **request["steps"][0]}],
            "publish": NAME,
            "knowledge": {"alphas": [0.25, 1.0]},
        }

    def advise_command(self, state: ProjectState, options: list[str]) -> list[str]:
        """The curve of lifetimes."""
        return ["tokumei", "lifetime", "--data", state.source, *self.read_command(state)]

    def anonymize_command(self, state: ProjectState, request: Request) -> list[str]:
        """Purchases and customers."""
        files = ["--data", DATA, "--master", MASTER]
        return ["tokumei", "anonymize", "history", "--format", _format(), *files]

    def advise_python(self, state: ProjectState) -> tuple[str, str]:
        """The purchases, month by month."""
        return f"periods_of({self.read_python(state)})", ""

    def imports(self) -> list[str]:
        """What makes months of purchases."""
        return ["from tokumei.pseudonyms.data.history import periods_of"]

    def load(self, project: Project, state: ProjectState, look: Look) -> PeriodHistory:
        """The purchases, month by month; written as a recipe reads them."""
        from tokumei.files.releases import make_folder
        from tokumei.pseudonyms.data.history import periods_of

        made = periods_of(self.history(project, state))
        place = make_folder(project.folder / FOLDER)
        layout = PSEUDONYMS.formats.build(_format(), {"master": str(place / MASTER)})
        write_all(layout.outputs(made, place / DATA))
        history: PeriodHistory = layout.read(place / DATA)
        return history

    def file(self, project: Project) -> Path:
        """The purchases as recipes of this kind read them."""
        return project.folder / FOLDER / DATA

    def beside(self, source: PeriodHistory, release: PeriodRelease, look: Look) -> dict[str, Any]:
        """The first rows of one customer, whose pseudonym changes."""
        kept = release.rows.kept
        busiest = np.bincount(source.person[kept]).argmax()
        mine = np.flatnonzero(kept & (source.person == busiest))
        rows = np.unique(mine[np.linspace(0, len(mine) - 1, ROWS).astype(int)]).tolist()
        names = ["customer", *COLUMNS]
        frames = (source.frame.select(names), release.rows.cells.select(names))
        return beside_rows(*frames, rows, int((~kept).sum()))

    def attacked(self, source: PeriodHistory, release: PeriodRelease) -> dict[str, Any]:
        """Every attack, by the customers it finds again behind their pseudonyms."""
        from tokumei.core.randomness import Randomness
        from tokumei.pseudonyms.advising import ALPHA
        from tokumei.pseudonyms.flow import attack_periods
        from tokumei.pseudonyms.lifetime import KNOWLEDGE
        from tokumei.pseudonyms.links import pseudonym_links
        from tokumei.pseudonyms.registry import attackers

        known = replace(KNOWLEDGE, alpha=ALPHA).of(source.rows, rng=Randomness(SEED))
        guesses = attack_periods(source, release, known=known, seed=SEED)
        links = {name: pseudonym_links(one, release.table) for name, one in guesses.items()}
        return {
            "attacks": [
                {
                    "name": name,
                    "title": list(attackers.get(name).title),
                    **{part: getattr(one, part) for part in ("rate", "low", "high", "baseline")},
                }
                for name, one in sorted(links.items(), key=lambda one: -one[1].rate)
            ],
            "people": len(source.master.customers),
            "exposed": [],
        }


def _format() -> str:
    """How the kind's files are laid out."""
    return PSEUDONYMS.formats.names()[0]

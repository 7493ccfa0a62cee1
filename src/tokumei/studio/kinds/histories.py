"""What purchase histories bring to the studio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.text import Text
from tokumei.studio.kinds.kind import NAME, SEED, Look, Request
from tokumei.studio.kinds.purchases import ROWS, StudioPurchases, beside_rows
from tokumei.studio.store.state import ProjectState

if TYPE_CHECKING:
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease

CURVE = (2, 3, 5, 10, 20)


def _around(k: int, state: ProjectState, look: Look) -> list[int]:
    """Values of k for a curve: none beyond the customers, where it is known how many there are."""
    person = look.get("person") or {}
    known = person.get("column") == state.columns.get("customer")
    most = max(k, int(person.get("people", 0)) if known else 0)
    return sorted({k, *(value for value in CURVE if value <= most)})


class StudioHistories(StudioPurchases):
    """Purchase histories, released whole; k is chosen by the curve."""

    title: ClassVar = Text(
        "A purchase history: who bought what, when", "購買履歴: 誰が・いつ・何を買ったか"
    )
    curve: ClassVar = "k"
    curve_label: ClassVar = Text("k={}", "k={}")
    records: ClassVar = True

    def knows(self, one: Mapping[str, Any]) -> Text:
        """All purchases."""
        return Text("all purchases of everybody", "全員の購買すべて")

    def source(self, state: ProjectState, look: Look, file: str) -> dict[str, Any]:
        """The recipe's key `history`."""
        return {"history": self.history_part(state, file)}

    def recipe(
        self, state: ProjectState, look: Look, request: Request, file: str
    ) -> dict[str, Any]:
        """The curve around the chosen k, and the release."""
        (step,) = request["steps"]
        k = int(step["k"])
        return {
            "title": state.name,
            **self.source(state, look, file),
            "sweeps": [{**step, "k": _around(k, state, look)}],
            "chosen": k,
            "releases": [{"name": NAME, **step}],
        }

    def anonymize_command(self, state: ProjectState, request: Request) -> list[str]:
        """The file and how it is read."""
        command = ["tokumei", "anonymize", "history", "--data", state.source]
        return [*command, *self.read_command(state)]

    def beside(self, source: History, release: HistoryRelease, look: Look) -> dict[str, Any]:
        """First rows before and after; customers as shapes and pseudonyms."""
        from tokumei.histories.data.general import history_text

        kept = release.rows.kept
        rows = [row for row in range(min(len(kept), 200)) if kept[row]][:ROWS]
        return beside_rows(history_text(source), release.aligned_text(), rows, int((~kept).sum()))

    def attacked(self, source: History, release: HistoryRelease) -> dict[str, Any]:
        """All attacks; nobody is named."""
        from tokumei.histories.flow import attack
        from tokumei.histories.registry import attackers

        hits = attack(source, release, seed=SEED)
        return {
            "attacks": [
                {"name": name, "title": list(attackers.get(name).title), **one.as_json()}
                for name, one in sorted(hits.items(), key=lambda one: -one[1].rate)
            ],
            "people": len(source.customers),
            "exposed": [],
        }

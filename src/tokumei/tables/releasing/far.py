"""One flow for rows that are not in memory: a counted method, new cells, write, verify, rename.

    made = recoded(engine, asked, engine.tuples(asked.columns), rng=rng)
    release.save("public.csv", secret="link.csv")       # verifies what was written first

The engine decides where the rows are; nothing else differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim, Provenance, Search
from tokumei.core.text import Text, as_json_text
from tokumei.tables.data.counted import rows_of
from tokumei.tables.data.schema import Schema
from tokumei.tables.engines.protocol import Beside, FarEngine, Frequencies, NewCells
from tokumei.tables.releasing.counted_method import Asked, as_written, changed_tuples
from tokumei.tables.verify.elsewhere import ElsewhereRows, elsewhere_faults

Rows = TypeVar("Rows", bound=FarEngine)


@dataclass(frozen=True, eq=False)
class FarRelease:
    """Released rows, to be computed while they are written, with what is claimed of them."""

    engine: FarEngine
    schema: Schema
    rows: int
    claims: tuple[Claim, ...]
    provenance: Provenance
    source_rows: int
    unchanged: bool = False
    """Whether no cell was changed."""

    def manifest(self) -> dict[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.rows,
            "columns": {column.name: column.role.value for column in self.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True) | {"engine": self.engine.name},
        }

    def seen(self, written: Any) -> ElsewhereRows:
        """What was written, as rules see it."""
        raise NotImplementedError

    def save(self, path: str | Path, *, secret: str | Path | None = None, sep: str = ",") -> None:
        """Write the rows, verify what was written, and only then let it have its name.

        `path` gets the public rows, `path.manifest.json` the claims and methods; `secret` the link,
        if the engine knows it, and `secret.provenance.json` seed and source hash, both readable by
        the owner only.
        """
        beside = Beside(
            as_json_text(self.manifest()),
            as_json_text(self.provenance.as_json(public=False)),
            None if secret is None else str(secret),
        )
        self.engine.write(str(path), beside, rows=self.rows, sep=sep, verify=self._verify)

    def _verify(self, written: Any) -> None:
        with meter(Text("verifying", "検証中")):
            elsewhere_faults(self.seen(written), self.claims).require(self.rows)


@dataclass(frozen=True, eq=False)
class Made(Generic[Rows]):
    """Recoded rows, how many they are, and what is claimed of them."""

    engine: Rows
    rows: int
    claims: Sequence[Claim]
    searches: tuple[Search, ...] = ()
    unchanged: bool = False


def recoded(
    engine: Rows,
    asked: Asked,
    tuples: Frequencies,
    *,
    as_text: bool,
    rng: Randomness,
    keep_order: bool,
) -> Made[Rows]:
    """What the method makes of the rows; with `as_text`, cells as they stand in a CSV file."""
    qi, before = asked.schema.qi, tuples.cells
    step = changed_tuples(asked, before, rng=rng)
    new = step.table.frame.select(qi)
    cells = as_written(new) if as_text else new
    if not keep_order:
        engine = engine.shuffled(rng.child("shuffle"))
    given = engine.without(asked.dropped).give(NewCells(tuples, cells.to_dict(), step.link, qi))
    unchanged = before.select(qi)[step.link].equals(new)
    return Made(given, rows_of(step.table.frame), step.claims, step.searches, unchanged)

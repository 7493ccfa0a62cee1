"""Reads releases of tables for the ledger, and attacks a recorded one.

TableToRecord(release="y.csv", data="x.csv", secret="link.csv", id="id").read().contribution
attack_recorded_table(AttackRecordedTableRequest(ledger=location, release="r1", data="x.csv", …))
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tokumei.core.errors import InputError, UnknownNameError
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.writing import read_link
from tokumei.ledger.services import LedgerLocation, ReleaseContent
from tokumei.tables.comparisons import resolve_hierarchies
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.hierarchies.release_hierarchies import read_manifest
from tokumei.tables.ledger.algorithm_attacks import AlgorithmAttackResult, attack_algorithm
from tokumei.tables.ledger.contribution import table_contribution
from tokumei.tables.services.read_comparison import ComparisonFiles, read_comparison_files


@dataclass(frozen=True, kw_only=True)
class TableOriginal:
    """The source that a release was made of, its roles, and its link if there is one."""

    data: str
    secret: str | None = None
    qi: tuple[str, ...] | None = None
    sa: tuple[str, ...] | None = None
    hierarchies: str | None = None
    sep: str | None = None
    encoding: str = "auto"

    def read_with(self, release: str) -> ComparisonFiles:
        """Source and release, their roles given or told by the manifest."""
        roles = self.qi, self.sa, self.hierarchies
        return read_comparison_files(
            self.data, release, *roles, sep=self.sep, encoding=self.encoding
        )


@dataclass(frozen=True, kw_only=True)
class TableToRecord(TableOriginal):
    """A released table of any tool.

    `id` is the column of the source that names people; without it every row is a person.
    """

    release: str
    id: str | None = None

    def read(self) -> ReleaseContent:
        """What the release says of each person, and what the manifest beside it claims."""
        files = self.read_with(self.release)
        source, public, secret = files.source, files.public, self.secret
        contribution = table_contribution(
            source.frame,
            public.frame,
            link=None if secret is None else read_link(secret, public.rows, source.rows),
            ids=_read_person_ids(source.frame, self.id, self.data),
            qi=source.schema.qi,
            sa=source.schema.sa,
            hierarchies=resolve_hierarchies(source, files.hierarchies),
        )
        manifest = read_manifest(self.release)
        steps = manifest.get("provenance", {}).get("steps", [])
        method = ",".join(str(step.get("method", "")) for step in steps)
        claims = tuple(manifest.get("claims", ()))
        return ReleaseContent(contribution, tuple(files.notes), claims, method)


@dataclass(frozen=True, kw_only=True)
class AttackRecordedTableRequest(TableOriginal):
    """A release of a ledger, by name, to be attacked by somebody who knows the algorithm.

    Its source and link judge the attack.
    """

    ledger: LedgerLocation
    release: str
    secret: str


def attack_recorded_table(request: AttackRecordedTableRequest) -> AlgorithmAttackResult:
    """Attack the public file, if it is still the one that was recorded."""
    ledger = request.ledger.open()
    entry = ledger.entry(request.release)
    path = ledger.public_path(entry)
    if not path.is_file() or sha256_of_file(path) != entry.sha256:
        raise InputError(
            "{path}: not the file that was recorded as '{name}'",
            path=path,
            name=entry.name,
        )
    files = request.read_with(str(path))
    source, public = files.source, files.public
    labels = resolve_hierarchies(source, files.hierarchies)
    qi = source.schema.qi
    return attack_algorithm(
        source.frame,
        public.frame,
        read_link(request.secret, public.rows, source.rows),
        qi,
        source.schema.sa,
        {n: ColumnReader.of(source.frame[n], public.frame[n], labels.get(n)) for n in qi},
        hierarchies=labels,
        k=entry.k or 2,
    )


def _read_person_ids(source: pl.DataFrame, name: str | None, path: str) -> pl.Series:
    """Who every row of the source is of: by a column, or by its place in this very file."""
    if name is None:
        digest = sha256_of_file(path)
        return pl.Series("id", [f"{digest}:{row}" for row in range(source.height)])
    if name not in source.columns:
        raise UnknownNameError(COLUMN_NOUN, name, source.columns, field="id")
    ids = source[name]
    if ids.null_count() == source.height:
        raise InputError("column '{column}' is empty", column=name)
    return ids

"""Files in `classes`: the class of each person of a release, as codes in a neutral order.

`0001.parquet` has a line per person (sorted by code), `0001.fits.parquet` which classes fit which
pattern of people, `0001.values.parquet` how many rows of a class have which sensitive value, and
`0001.profile.parquet`, where a kind has such, what people of a class do again and again.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.files.atomic_write import Output
from tokumei.files.writing import bytes_output
from tokumei.ledger.contribution import CandidateClasses, Contribution
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.hash_chain import CODE_HIGH, CODE_LOW, KeyedCodes

PEOPLE_SUFFIX, FITS_SUFFIX, VALUES_SUFFIX = ".parquet", ".fits.parquet", ".values.parquet"
PROFILE_SUFFIX = ".profile.parquet"
CELL_PREFIX, TRUE_VALUE_PREFIX = "cell_", "own_"


@dataclass(frozen=True, eq=False)
class RecordedClasses:
    """What is kept of a release: its people, the classes that fit them, the values of classes."""

    people: pl.DataFrame
    fits: pl.DataFrame
    values: pl.DataFrame
    profile: pl.DataFrame | None = None

    @property
    def parts(self) -> dict[str, pl.DataFrame]:
        """By the ends of their files' names."""
        frames = {PEOPLE_SUFFIX: self.people, FITS_SUFFIX: self.fits, VALUES_SUFFIX: self.values}
        return frames if self.profile is None else {**frames, PROFILE_SUFFIX: self.profile}

    def people_column(self, name: str) -> np.ndarray:
        """A column of whole numbers of the people."""
        return self.people[name].to_numpy()

    @property
    def patterns(self) -> CandidateClasses:
        """The classes that fit every person."""
        total = int(self.fits["classes"].list.len().sum())
        start = np.append(self.fits["start"].to_numpy(), total)
        flat = self.fits["classes"].explode().to_numpy() if self.fits.height else np.zeros(0)
        return CandidateClasses(
            self.people_column("fit"), start.astype(np.int64), flat.astype(np.int64)
        )


def encode_contribution(given: Contribution, codes: KeyedCodes) -> RecordedClasses:
    """The codes of what a kind tells."""
    high, low = codes.person_codes(given.ids)
    fits = given.fits or CandidateClasses.none(len(given.ids))
    columns: dict[str, np.ndarray] = {
        CODE_HIGH: high,
        CODE_LOW: low,
        "class": given.classes.astype(np.int32),
        "row": given.rows.astype(np.int32),
        "fit": fits.of.astype(np.int32),
    }
    if given.covered is not None:
        columns["covered"] = given.covered.astype(np.int32)
    for index, cells in enumerate(given.cells.values()):
        columns[f"{CELL_PREFIX}{index}"] = codes.value_codes(cells)
    for index, name in enumerate(given.sensitive):
        columns[f"{TRUE_VALUE_PREFIX}{index}"] = codes.value_codes(given.own[name])
    people = pl.DataFrame(columns).sort(CODE_HIGH, CODE_LOW)
    profile = given.profile
    if profile is not None:
        coded = pl.Series("value", codes.value_codes(profile["value"]), dtype=pl.UInt64)
        profile = profile.with_columns(coded).sort("column", "class", "value")
    return RecordedClasses(
        people, _candidate_patterns(fits), _encode_class_values(given, codes), profile
    )


def _candidate_patterns(fits: CandidateClasses) -> pl.DataFrame:
    sizes = np.diff(fits.start)
    lists = pl.DataFrame(
        {"fit": np.repeat(np.arange(len(sizes)), sizes), "classes": fits.classes.astype(np.int32)}
    )
    listed = lists.group_by("fit", maintain_order=True).agg("classes")
    empty = pl.DataFrame({"fit": np.flatnonzero(sizes == 0)}).with_columns(
        classes=pl.lit([], dtype=pl.List(pl.Int32))
    )
    all_patterns = pl.concat([listed, empty]).sort("fit")
    return all_patterns.with_columns(start=pl.Series(fits.start[:-1]))


def _encode_class_values(given: Contribution, codes: KeyedCodes) -> pl.DataFrame:
    schema = {"column": pl.Int32, "class": pl.Int32, "value": pl.UInt64, "rows": pl.Int32}
    column_frames = [
        pl.DataFrame(
            {
                "column": pl.Series([index] * counts.height, dtype=pl.Int32),
                "class": counts["class"].cast(pl.Int32),
                "value": pl.Series(codes.value_codes(counts["value"]), dtype=pl.UInt64),
                "rows": counts["rows"].cast(pl.Int32),
            }
        )
        for index, counts in enumerate(given.counts[name] for name in given.sensitive)
    ]
    return pl.concat([pl.DataFrame(schema=schema), *column_frames]).sort("column", "class", "value")


def to_parquet_files(parts: RecordedClasses) -> dict[str, bytes]:
    """The files, by the ends of their names."""
    files = {}
    for end, frame in parts.parts.items():
        stream = io.BytesIO()
        frame.write_parquet(stream, compression="zstd", statistics=False)
        files[end] = stream.getvalue()
    return files


def hash_files(files: Mapping[str, bytes]) -> dict[str, str]:
    """By which every changed byte is found."""
    return {end: hashlib.sha256(data).hexdigest() for end, data in files.items()}


def class_file_outputs(folder: Path, stem: str, files: Mapping[str, bytes]) -> list[Output]:
    """The files, readable by the owner only."""
    return [bytes_output(data, folder / f"{stem}{end}", secret=True) for end, data in files.items()]


def read_recorded_classes(folder: Path, entry: LedgerEntry) -> RecordedClasses:
    """What was recorded of a release; a changed or missing file is an error."""
    frames = {}
    for end, digest in entry.files.items():
        path = folder / f"{entry.file_stem}{end}"
        try:
            data = path.read_bytes()
        except OSError:
            raise _changed_file_error(path.name, missing=True) from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise _changed_file_error(path.name, missing=False)
        frames[end] = pl.read_parquet(io.BytesIO(data))
    return RecordedClasses(
        frames[PEOPLE_SUFFIX],
        frames[FITS_SUFFIX],
        frames[VALUES_SUFFIX],
        frames.get(PROFILE_SUFFIX),
    )


def remove_people(parts: RecordedClasses, removed_mask: np.ndarray) -> RecordedClasses:
    """The same without some people; rows stay counted in `values` and `profile`, without names."""
    return replace(parts, people=parts.people.filter(pl.Series(~removed_mask)))


def _changed_file_error(name: str, *, missing: bool) -> InputError:
    return InputError(
        "the ledger's file classes/{name} is missing: restore it from a copy"
        if missing
        else "the ledger's file classes/{name} was changed: restore it from a copy",
        name=name,
    )

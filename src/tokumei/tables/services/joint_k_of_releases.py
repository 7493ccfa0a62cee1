"""Checks a folder that `tokumei run` wrote: every release, and all of them jointly.

Whoever holds several releases of the same people sees each person in the same place of all of them.
The people who share all their classes are fewer than those who share one: that is the joint k. Only
the owner can count it, by the links in `secret/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, Violation
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message, join_sentences
from tokumei.core.releases_folder import PUBLISH_ONLY_ONE, RELEASES_FOLDER, SECRET_FOLDER
from tokumei.files.file_formats import FORMAT_BY_SUFFIX, file_suffix
from tokumei.files.reading import read_cells
from tokumei.files.writing import read_link

ABSENT = -1
"""The class of a person whom a release does not show."""


@dataclass(frozen=True)
class Joint:
    """The smallest joint class, how many people are in one below the k asked for, and of what."""

    k: int
    below: int
    releases: int
    people: int

    def fault(self) -> Violation:
        """As a violation."""
        finding = Message(
            "{releases} releases of the same {people} people: put together, the smallest class has "
            "{k}, and {below} people are in one that is too small.",
            releases=self.releases,
            people=self.people,
            k=self.k,
            below=self.below,
        )
        return Violation(rule="joint-k", message=join_sentences([finding, PUBLISH_ONLY_ONE]))


def is_experiment(path: str) -> bool:
    """Whether a folder holds the releases of an experiment."""
    return (Path(path) / RELEASES_FOLDER).is_dir()


def releases_in(folder: str) -> list[Path]:
    """The public files, in order."""
    found = sorted((Path(folder) / RELEASES_FOLDER).iterdir())
    files = [path for path in found if file_suffix(path) in FORMAT_BY_SUFFIX]
    if not files:
        raise InputError(
            "{folder}: there is no release in {subfolder}/",
            folder=folder,
            subfolder=RELEASES_FOLDER,
        )
    return files


def joint_k(files: list[Path], qi: tuple[str, ...], k: int | None) -> Joint:
    """The classes of all releases put together, by the links beside them."""
    found = [_classes(path, qi) for path in files]
    people = 1 + max(int(link.max(initial=-1)) for link, _ in found)
    seen = np.full((people, len(found)), ABSENT, dtype=np.int64)
    for place, (link, classes) in enumerate(found):
        seen[link, place] = classes
    # Whom no release shows is in no class.
    shown = seen[(seen != ABSENT).any(axis=1)]
    sizes = np.unique(shown, axis=0, return_counts=True)[1]
    return Joint(int(sizes.min()), int(sizes[sizes < (k or 2)].sum()), len(found), len(shown))


def _classes(path: Path, qi: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The original row and the class of every released row."""
    cells = read_cells(path)
    if missing := [name for name in qi if name not in cells.columns]:
        raise InputError("{path}: no column '{column}'", path=path, column=missing[0])
    secret = path.parent.parent / SECRET_FOLDER / path.name
    if not secret.is_file():
        raise InputError(
            "{secret}: the link is needed to tell which rows are of the same person", secret=secret
        )
    link = read_link(secret, cells.height, np.iinfo(np.int64).max)
    return link, equivalence_class_codes(
        cells.select(pl.col(qi).cast(pl.String).fill_null("")), list(qi)
    )

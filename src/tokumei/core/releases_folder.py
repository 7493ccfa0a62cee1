"""The folder of several releases: names of public and secret files, and what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.core.data_kind import DataKind, Release
from tokumei.core.messages import Message
from tokumei.core.verification import verify_release

if TYPE_CHECKING:
    from tokumei.files.atomic_write import Output

RELEASES_FOLDER, SECRET_FOLDER = "releases", "secret"
"""The folders of releases and of what only their owner may see."""
PUBLISH_ONLY_ONE = Message(
    "Publish one of these, never two: whoever holds two releases of the same people can put them "
    "together, and is left with smaller groups than either of them claims."
)
GROUP_SIZE_LABEL = Message("How small the groups become")


def numbered_release_outputs(
    kind: DataKind, releases: Mapping[str, Release], folder: Path
) -> list[Output]:
    """The files of releases, by their names: `releases/01-name.csv` and `secret/01-name.csv`.

    Of verified releases only; one that carries no verification is verified here.
    """
    file_outputs: list[Output] = []
    for label, public in public_release_paths(list(releases), folder).items():
        secret = folder / SECRET_FOLDER / public.name
        verified = verify_release(kind, releases[label])
        file_outputs += kind.flow.outputs(verified.release, public, secret=secret)
    return file_outputs


def public_release_paths(labels: Sequence[str], folder: Path) -> dict[str, Path]:
    """Where the public file of each release stands."""
    return {
        label: folder / RELEASES_FOLDER / f"{number:02d}-{to_file_name(label)}.csv"
        for number, label in enumerate(labels, 1)
    }


def releases_readme() -> str:
    """The text of the README beside several releases in `releases/`, in every language."""
    check = "tokumei check --format table --release FOLDER --qi A,B --k K"
    warnings = "\n\n".join(PUBLISH_ONLY_ONE.texts().values())
    label = " / ".join(GROUP_SIZE_LABEL.texts().values())
    return f"{warnings}\n\n{label}:\n\n    {check}\n"


def to_file_name(label: str) -> str:
    """A release's name as a file name."""
    return re.sub(r"[^\w-]+", "-", label).strip("-").lower() or "release"

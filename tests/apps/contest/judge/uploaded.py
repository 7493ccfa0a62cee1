"""Generated contests, releases of their data, and files as teams upload them."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokumei as tk
from tokumei import anonymize, save
from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.apps.contest.spec.sample_folder import write_sample_contest


@dataclass(frozen=True)
class Contest:
    """A folder, its judge, and the bytes of a release that breaks no rule."""

    folder: Path
    judge: Any
    release: bytes

    @property
    def upload(self) -> Upload:
        return Upload("A.csv", self.release)

    def lines(self) -> list[bytes]:
        return self.release.splitlines()

    def judge_with(self, **changed: Any) -> Any:
        """A judge of the same contest with other fields (of `scoring` too)."""
        contest = self.judge.contest
        scoring = contest.scoring.model_copy(update=changed.pop("scoring", {}))
        return load_judge(contest.model_copy(update={**changed, "scoring": scoring}), self.folder)


def made_contest(folder: Path, preset: str, **size: int) -> Contest:
    """A sample contest with a release by the library's own method."""
    write_sample_contest(folder, preset=preset, seed=5, **size)
    judge = load_judge(read_contest_folder(folder), folder)
    return Contest(folder, judge, release_bytes(judge, folder / "A.csv"))


def release_bytes(judge: Any, path: Path, *, seed: int = 3) -> bytes:
    """A release of a judge's data."""
    kind = judge.contest.format
    if kind == "pws2017":
        save(anonymize(judge.format.history, "pseudonyms", lifetime=2, seed=seed), aligned=path)
    elif kind == "pws2018":
        made = anonymize(judge.format.history, "rank-match", k=3, seed=seed, format=kind)
        save(made, aligned=path, format=kind)
    else:
        made = tk.anonymize(judge.format.original, "noise", scale=0.3, seed=seed, keep_order=True)
        made.public.frame.write_csv(path)
    return path.read_bytes()


def zipped(files: dict[str, bytes]) -> bytes:
    """The files in one zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def rules_of(verdict: Any) -> set[str]:
    """The rules that a verdict says are broken."""
    return {fault.rule for fault in verdict.faults}

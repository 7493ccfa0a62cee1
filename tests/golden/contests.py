"""Records what the judge of each contest preset says of a release, of guesses and of a bad upload.

Everything happens in this process, on generated data, without a server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from apps.contest.judge.uploaded import made_contest, zipped
from golden.normalize import digest_text
from golden.transcript import Transcript, open_transcript
from tokumei.apps.contest.judge.results import JudgeVerdict, Upload

SIZES: dict[str, dict[str, int]] = {
    "pws2017": {"rows": 900, "customers": 25},
    "pws2018": {"rows": 900, "customers": 40},
    "table": {"rows": 120},
}
"""The presets, and how much data each contest has."""


def record_contest(preset: str, variant: str, folder: Path) -> list[str]:
    """What the preset's judge says."""
    with open_transcript(preset, variant, folder) as transcript:
        contest = transcript.call(
            f"a contest of the preset {preset} and a release",
            lambda: made_contest(folder / "contest", preset, **SIZES[preset]),
        )
        verdict = _judge(transcript, "the release", contest.judge, contest.upload)
        halved = b"\n".join(contest.lines()[: len(contest.lines()) // 2])
        _judge(transcript, "half of its rows", contest.judge, Upload("A.csv", halved))
        guesses = {name: verdict.truth for name in contest.judge.guess_files()}
        score = transcript.call(
            "the truth as a guess",
            lambda: contest.judge.score(
                verdict.public, verdict.truth, Upload("guess.zip", zipped(guesses))
            ),
        )
        _add_verdict(transcript, score)
    return transcript.lines


def _judge(transcript: Transcript, title: str, judge: Any, upload: Upload) -> JudgeVerdict:
    verdict: JudgeVerdict = transcript.call(f"{title} is judged", lambda: judge.judge(upload))
    _add_verdict(transcript, verdict)
    return verdict


def _add_verdict(transcript: Transcript, verdict: JudgeVerdict) -> None:
    transcript.add_document(
        {
            "accepted": verdict.accepted,
            "card": verdict.card.as_json() if verdict.card else None,
            "faults": [fault.as_json() for fault in verdict.faults[:20]],
            "public": _digest(verdict.public),
            "truth": _digest(verdict.truth),
        }
    )


def _digest(content: bytes | None) -> str | None:
    return None if content is None else digest_text(content.decode())

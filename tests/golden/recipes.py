"""Records what the example recipes make, on fewer rows than they ask for."""

from __future__ import annotations

import shutil
from pathlib import Path

from golden.transcript import open_transcript
from support.documentation import ROOT

EXAMPLES = ROOT / "examples"
NEED_DATA = ("paper-000.yaml", "paper-001.yaml")
"""They compute from real data, which no recording may hold."""
SMALLER = {
    "rows: 8333": "rows: 300",
    "rows: 8000": "rows: 1500",
    "rows: 6000, customers: 80": "rows: 1500, customers: 30",
    "draws: 2000": "draws: 100",
}
RECIPES = [path.name for path in sorted(EXAMPLES.glob("*.yaml")) if path.name not in NEED_DATA]


def record_recipe(name: str, variant: str, folder: Path) -> list[str]:
    """What the recipe's run says and writes."""
    shutil.copy(EXAMPLES / name, folder / name)
    text = (folder / name).read_text(encoding="utf-8")
    for large, small in SMALLER.items():
        text = text.replace(large, small)
    (folder / name).write_text(text, encoding="utf-8")
    word = "paper" if name.startswith("paper") else "run"
    with open_transcript(name, variant, folder) as transcript:
        transcript.begin()
        assert transcript.run_command([word, name, "--seed", "1", "--out", "results"]) == 0
    return transcript.lines

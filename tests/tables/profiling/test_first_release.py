"""Each stranger's file ends in a release or a clear question, in at most two commands.

Nothing that identifies people is in the release: its bytes are searched for their cells.
"""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from fuzz.judged import run
from tokumei.core.language import language_context
from tokumei.tables.profiling.reading.source import read_source

pytestmark = [pytest.mark.data, pytest.mark.long, pytest.mark.no_cover]
DIRECT = {"name", "kana", "email", "phone", "address", "card", "my_number", "insurance_no", "ssn"}
AT_LEAST = 27
"""Of 32 files; three are not about people, and no QI is found in one."""
SETTLED = ("--answers", "defaults", "--bad-cells", "missing")


@pytest.fixture(scope="module")
def corpus(real_data):
    folder = real_data / "first_contact"
    return folder / "files", json.loads((folder / "labels.json").read_text(encoding="utf-8"))


def identifying(path: Path, label: dict) -> set[str]:
    """The cells of columns that identify by themselves, long enough to be told from chance."""
    names = [one["name"] for one in label["columns"] if one["type"] in DIRECT]
    names = [one for one in names if label["people"]]
    frame = read_source(str(path)).frame
    cells = {str(cell).strip() for name in names if name in frame.columns for cell in frame[name]}
    return {cell for cell in cells if len(cell) > 4 and cell != "None"}


def test_every_file_ends_in_a_release_or_a_clear_answer(corpus, tmp_path, monkeypatch):
    files, labels = corpus
    monkeypatch.chdir(tmp_path)
    ended: dict[str, list[str]] = {"release": [], "answer": []}
    for label in labels:
        call = ["anonymize", "table", "--data", str(files / label["file"]), "--k", "3"]
        call += ["--out", "y.csv", "--seed", "1", "--json"]
        with language_context("en"):
            ran = run(call)
            if ran.code:
                ran = run([*call, *SETTLED])
        told = json.loads(ran.out)
        if ran.code:
            assert told["message_en"], label["file"]
            assert "defect" not in told["error"].lower(), (label["file"], told)
            ended["answer"].append(f"{label['file']}: {told['message_en']}")
            continue
        ended["release"].append(label["file"])
        cells = {cell for row in csv.reader(StringIO(Path("y.csv").read_text())) for cell in row}
        assert not cells & identifying(files / label["file"], label), label["file"]
    print(ended)
    assert len(ended["release"]) >= AT_LEAST, ended["answer"]
    assert not any("0 rows" in told for told in ended["answer"])

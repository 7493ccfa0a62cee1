"""Tests of tokumei.apps.studio.store.release_files."""

from __future__ import annotations

from pathlib import Path

from tokumei.apps.studio.store.release_files import format_readme, list_release_files


def test_every_file_has_its_reader(tmp_path: Path) -> None:
    names = {
        "releases/01-release.csv": "publish",
        "releases/01-release.csv.manifest.json": "publish",
        "secret/01-release.csv": "secret",
        "secret/release.key": "secret",
        "report.html": "records",
        "hierarchies/03.csv": "records",
        "scorecard.json": "records",
    }
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert {one["path"]: one["reader"] for one in list_release_files(tmp_path)} == names


VERDICT = {"en": "Does not fit: why.", "ja": "適合しません。"}


def test_the_readme_is_in_every_language_that_of_the_release_first() -> None:
    text = format_readme("people", "ja", verdict=VERDICT, anyway="for research", recorded=True)
    assert text.startswith("# people\n\n**適合しません。**\n")
    assert text.index("## 再現") < text.index("**Does not fit: why.**")
    assert text.count("for research") == 2
    assert text.count("--key secret/release.key --out again --lang ja\n") == 2
    assert "The recipe uses a ledger" in text
    plain = format_readme("people", "en", verdict=VERDICT)
    assert "ledger" not in plain
    assert "anyway" not in plain

"""What cannot be repeated goes, what can stays, and a difference is shown."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from golden.compare import compare_recording
from golden.groups import Group
from golden.normalize import digest_text, normalize_file, normalize_text

FOLDER = Path("/somewhere/golden-x1")


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("wrote /somewhere/golden-x1/y.csv", "wrote <folder>/y.csv"),
        ("0.30000000000000004", "0.3"),
        ("1.0000000000000002,12.50", "1.0,12.50"),
        ("1.3877787807814457e-17", "0.0"),
        ("123456789.123456789", "123456789.123"),
        ("at 2026-01-15T10:20:30Z, not 2026-01-15", "at <moment>, not 2026-01-15"),
        ("k = 5; 0.975683455384", "k = 5; 0.975683455384"),
    ],
)
def test_texts_keep_all_but_this_run_and_last_digits(text: str, normalized: str) -> None:
    assert normalize_text(text, FOLDER) == normalized


def test_drawings_keep_words_and_lose_positions() -> None:
    page = '<p>k</p><svg width="{0}"><g transform="translate({0},1)"><text>{1}</text></g></svg>'
    one, moved, other = (page.format(*cells) for cells in ((1, "a"), (2, "a"), (1, "b")))
    texts = [normalize_file("x.html", text.encode(), FOLDER) for text in (one, moved, other)]
    assert texts[0] == texts[1] != texts[2]


def test_archives_are_compared_by_their_parts() -> None:
    packed = []
    for year in (2001, 2002):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr(zipfile.ZipInfo("a.txt", (year, 1, 1, 0, 0, 0)), "same")
        packed.append(normalize_file("x.zip", stream.getvalue(), FOLDER))
    assert packed == [f"a.txt {digest_text('same')}"] * 2


def test_a_difference_is_shown_line_by_line_with_what_to_do(tmp_path: Path) -> None:
    group = Group("docs/x.md", ("en",), lambda variant, folder: ["same", "new"])
    path = tmp_path / group.path
    path.parent.mkdir()
    path.write_text("# en\nsame\nold\n")
    difference = compare_recording(group, group.record(), tmp_path)
    assert difference.splitlines()[-3:-1] == ["-old", "+new"]
    assert "python -m golden --record --only docs/x.md" in difference
    path.write_text(group.record())
    assert compare_recording(group, group.record(), tmp_path) == ""

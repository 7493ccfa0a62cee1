"""`tokumei-checks.yaml` is read strictly, and each file is checked by the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from tokumei.core.errors import InputError
from tokumei.testing.check_files import FileCheck, describe_check, read_checks, run_check

ROWS = "age,sex,illness\n31,f,flu\n31,f,cold\n44,m,flu\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a published file."""
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "people.csv").write_text(ROWS)
    return tmp_path


def test_checks_are_read_with_all_their_keys(folder: Path) -> None:
    path = folder / "tokumei-checks.yaml"
    path.write_text(
        "- {data: public/people.csv, qi: [age, sex], k: 2}\n"
        "- {data: public/people.csv, qi: [sex], sa: [illness], l: 2, t: 0.9, models: [alpha=0.9]}\n"
    )
    checks = read_checks(path)
    assert checks[0] == FileCheck(data="public/people.csv", qi=("age", "sex"), k=2)
    found = [run_check(check, folder).faults for check in checks]
    assert [[fault.rule for fault in faults] for faults in found] == [
        ["k-anonymity"],
        ["l-diversity", "alpha-k", "alpha-k"],
    ]


def test_violations_are_told_by_line_or_with_their_cells(folder: Path) -> None:
    checked = run_check(FileCheck(data="public/people.csv", qi=("age",), k=2), folder)
    assert [line.show() for line in describe_check(checked)] == [
        "1 class breaks k-anonymity; its first row is on line 4"
    ]
    assert "age=44" in describe_check(checked, show_values=True)[0].show()


def test_a_release_is_checked_as_its_manifest_claims(folder: Path) -> None:
    people = tk.sample_table(100, seed=1)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    tk.save(release, str(folder / "y.csv"))
    assert describe_check(run_check(FileCheck(data="y.csv"), folder)) == []
    lines = (folder / "y.csv").read_text().splitlines(keepends=True)
    (folder / "y.csv").write_text("".join([*lines[:-1], "99," + lines[-1].partition(",")[2]]))
    with pytest.raises(tk.ClaimError, match="not the rows that its manifest describes"):
        run_check(FileCheck(data="y.csv"), folder)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("data: a.csv\n", "list of checks"),
        ("- {qi: [age], k: 2}\n", "data"),
        ("- {data: a.csv, kk: 2}\n", "kk"),
        ("- {data: a.csv, k: many}\n", "k:"),
        ("- [", "line"),
    ],
)
def test_what_is_no_list_of_checks_is_refused(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "tokumei-checks.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=word):
        read_checks(path)

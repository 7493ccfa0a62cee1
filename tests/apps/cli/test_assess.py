"""`tokumei assess`: the contract of its JSON document and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from jsonschema import validate

import tokumei as tk
from tokumei.apps.cli.app import main
from tokumei.ledger.services import LedgerLocation, create_ledger

KEYS = {
    "verdict",
    "reason",
    "assumptions",
    "unit",
    "total",
    "scenario",
    "attackers",
    "bound",
    "unique",
    "kept",
    "columns",
    "claims",
    "remedies",
    "unknown",
}
SCHEMA = json.loads(Path("docs/assessment.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """An original, a release with k = 5, and its link."""
    original = pl.DataFrame(
        {
            "name": [f"n{i}" for i in range(20)],
            "age": [20 + i for i in range(20)],
            "sex": ["f", "m"] * 10,
            "amount": [1.5 * i for i in range(20)],
        }
    )
    original.write_csv(tmp_path / "x.csv")
    release = tk.anonymize(
        original, "mondrian", qi=["age", "sex"], ids=["name"], passed=["amount"], k=5, seed=1
    )
    tk.save(release, tmp_path / "y.csv", secret=tmp_path / "link.csv")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], folder: Path, *options: str) -> tuple[int, Any]:
    command = ["assess", "--original", str(folder / "x.csv"), *options, "--json"]
    with pytest.raises(SystemExit) as ended:
        main(command)
    code = ended.value.code
    text = capsys.readouterr().out
    return int(code or 0), json.loads(text)


def released(folder: Path) -> tuple[str, ...]:
    return "--release", str(folder / "y.csv"), "--truth", str(folder / "link.csv")


def test_a_release_that_fits(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, files, *released(files), "--for", "partner")
    assert (code, document["verdict"]) == (0, "fits")
    assert document.keys() >= KEYS
    validate(document, SCHEMA)
    assert document["claims"][0] | {"name": "k-anonymity", "holds": True} == document["claims"][0]
    assert document["scenario"]["knows"] == ["age", "sex"]
    assert document["bound"]["certain"] == 20


def test_the_same_release_for_the_public(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, files, *released(files), "--for", "public")
    assert (code, document["verdict"]) == (1, "does-not-fit")
    validate(document, SCHEMA)
    assert document["remedies"][0]["verdict"] == "fits"


def test_without_the_link(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, files, "--release", str(files / "y.csv"))
    assert (code, document["verdict"]) == (2, "unknown")
    validate(document, SCHEMA)
    assert document["attackers"] == []


def test_the_folder_of_a_release(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = files / "out"
    for name in ("releases", "secret"):
        (folder / name).mkdir(parents=True)
    (files / "y.csv").rename(folder / "releases/01-release.csv")
    (files / "y.csv.manifest.json").rename(folder / "releases/01-release.csv.manifest.json")
    (files / "link.csv").rename(folder / "secret/01-release.csv")
    code, document = run(capsys, files, "--release-dir", str(folder))
    assert (code, document["verdict"]) == (0, "fits")


def test_wrong_usage(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, files)
    assert (code, document["ok"]) == (2, False)


def test_python_gives_the_same_document(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, document = run(capsys, files, *released(files), "--for", "public")
    found = tk.assess(files / "x.csv", files / "y.csv", link=files / "link.csv", recipient="public")
    assert json.loads(json.dumps(found.to_dict())) | {"unknown": []} == document | {"unknown": []}
    assert "Does not fit" in repr(found)
    assert "Does not fit" in found._repr_html_()


def test_report_is_the_page_of_this_assessment(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = ["--release", str(files / "y.csv"), "--truth", str(files / "link.csv")]
    report = files / "report.html"
    code, data = run(capsys, files, *release, "--report", str(report))
    page = report.read_text(encoding="utf-8")
    assert code == {"fits": 0, "does-not-fit": 1}[data["verdict"]]
    assert f'data-verdict="{data["verdict"]}"' in page
    assert "y.csv" in page
    assert f"{round(data['attackers'][0]['certain'])} <small>" in page


def test_report_replaces_no_input(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = (files / "x.csv").read_bytes()
    both = ["--original", str(files / "x.csv"), "--release", str(files / "y.csv")]
    with pytest.raises(SystemExit) as ended:
        main(["assess", *both, "--report", str(files / "x.csv")])
    assert ended.value.code == 2
    assert (files / "x.csv").read_bytes() == original


def test_a_saved_scenario_holds_for_later_commands(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--for", "inside", "--limit", "smallest_class=4", "--keep", "amount=2", "--save")
    run(capsys, files, *released(files), *options)
    _, document = run(capsys, files, *released(files))
    scenario = document["scenario"]
    assert (scenario["recipient"], scenario["keep"]) == ("inside", {"amount": 2.0})
    assert scenario["limits"]["smallest_class"] == 4
    _, public = run(capsys, files, *released(files), "--for", "public")
    assert public["scenario"]["limits"]["smallest_class"] == 20


def test_ledger_and_uses_are_in_the_document(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_ledger(LedgerLocation(folder=str(files / "ledger"), key_file=str(files / "key")))
    options = ("--ledger", str(files / "ledger"), "--ledger-key", str(files / "key"))
    _, document = run(capsys, files, *released(files), *options, "--uses", "S1")
    validate(document, SCHEMA)
    assert document["joint"] is None  # nothing was recorded before
    assert [use["name"] for use in document["uses"]] == ["S1"]


def test_too_few_people_for_an_audit_are_refused(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    control = pl.read_csv(files / "x.csv").with_columns(pl.col("age") + 1, pl.col("name") + "c")
    control.write_csv(files / "control.csv")
    code, refusal = run(capsys, files, *released(files), "--control", str(files / "control.csv"))
    assert code == 2
    assert "20 members: at least 30 are needed" in refusal["message_en"]

"""Tests of tokumei.conformity.identifier_scan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformity.finding_samples import ROWS, people
from tokumei.apps.cli.app import main
from tokumei.core.language import use_language


def told(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, object]:
    with pytest.raises(SystemExit):
        main([*(str(one) for one in args), "--json"])
    use_language(None)
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("beside", ["manifest", "nothing", "roles"])
@pytest.mark.parametrize("clear", ["mail", "phone"])
def test_a_clear_identifier_is_never_reported_as_less_than_what_it_tells(
    clear: str, beside: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`attack`, `conform` and `risk` say at least the share of people whose value is unique."""
    cells = {
        "mail": [f"user{i if i < 90 else 0}@example.com" for i in range(ROWS)],
        "phone": [f"090-1234-{5000 + (i if i < 90 else 0)}" for i in range(ROWS)],
    }[clear]
    unique = sum(cells.count(cell) == 1 for cell in cells) / ROWS
    source, public, link = (tmp_path / name for name in ("x.csv", "y.csv", "link.csv"))
    people(**{clear: cells}).write_csv(source)
    release = ["anonymize", "table", "--data", source, "--qi", "age,sex", "--pass", clear]
    release += ["--person", "none"]
    told(capsys, *release, "--k", 5, "--out", public, "--secret", link, "--seed", 1)
    both = ["--original", source, "--release", public, "--truth", link]
    if beside != "manifest":
        Path(f"{public}.manifest.json").unlink()
    both += ["--qi", "age"] if beside == "roles" else []
    attacked = told(capsys, "attack", *both, "--expected", "--seed", 1)
    assert attacked["strongest"]["rate"] >= unique  # type: ignore[index]
    found = told(capsys, "conform", *both)
    checks = {one["id"]: one for one in found["checks"]}  # type: ignore[attr-defined]
    assert checks["identifying-columns"]["figures"]["unique_share"] >= unique
    assert checks["all-columns"]["figures"]["share"] >= unique
    assert checks["attack-1"]["figures"]["rate"] >= unique
    risky = told(capsys, "risk", "--data", public, *both[6:])
    assert risky["everything"]["unique_share"] >= unique  # type: ignore[index]

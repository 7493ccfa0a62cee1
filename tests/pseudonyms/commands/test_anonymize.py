"""Tests of tokumei.pseudonyms.commands.anonymize."""

from __future__ import annotations

import stat
from pathlib import Path

from apps.cli.periods_scene import TRUTH, lines
from apps.cli.periods_scene import made as made
from apps.cli.periods_scene import tokumei as tokumei


def test_publishing_gives_the_same_files_as_anonymizing(tokumei, made):
    done = tokumei("publish", *TRUTH, "--release", "A.csv", "--public", "S2.csv", "--secret",
                   "F2.csv", "--json").json  # fmt: skip
    assert done["rows"] == 1350
    assert lines("S2.csv") == lines("S.csv") == sorted(lines("S.csv"))
    assert lines("F2.csv") == lines("F.csv")
    assert [line.split(",")[0] for line in lines("F.csv")] == [
        line.split(",")[0] for line in lines("M.csv")
    ]
    assert {line.count(",") for line in lines("F.csv")} == {12}
    for secret in ("A.csv", "F.csv", "F2.csv", "F.csv.provenance.json"):
        assert stat.S_IMODE((made / secret).stat().st_mode) == 0o600
    manifest = Path("S.csv.manifest.json").read_text()
    assert "pseudonym-lifetime" in manifest
    assert "sha256" not in manifest.replace("rows_sha256", "")  # of the public rows alone
    assert lines("A.csv").count("DEL,,,,,,") == 150

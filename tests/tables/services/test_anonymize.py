"""The same file, request and seed give the same release by command line, Python and recipe."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import tokumei as tk
from tables.services.anonymize_helpers import FORMS, ROLES, people, write

OPTIONS = ["--qi", "age,sex,city", "--sa", "pay"]


REQUESTS = {
    "mondrian": (["--method", "mondrian", "--k", "4"], {"method": "mondrian", "k": 4}),
    "local": (["--method", "local", "--k", "3"], {"method": "local", "k": 3}),
    "k-member": (["--method", "k-member", "--k", "3"], {"method": "k-member", "k": 3}),
    "one-pass": (["--method", "one-pass", "--k", "3"], {"method": "one-pass", "k": 3}),
    "l-diversity": (
        ["--method", "mondrian", "--k", "4", "--l", "2"],
        {"method": "mondrian", "k": 4, "conditions": ["l=2"], "sensitive": ["pay"]},
    ),
    "t-closeness": (
        ["--method", "mondrian", "--k", "4", "--t", "0.5"],
        {"method": "mondrian", "k": 4, "conditions": ["t=0.5"], "sensitive": ["pay"]},
    ),
    "models": (
        ["--k", "4", "--l", "2", "--t", "0.5", "--model", "entropy-l=1.5"],
        {"method": "mondrian", "k": 4, "l": 2, "t": 0.5, "models": "entropy-l=1.5"},
    ),
    "noise": (["--method", "noise"], {"method": "noise"}),
    "yamaoka": (["--method", "yamaoka"], {"method": "yamaoka"}),
    "microaggregate": (["--method", "microaggregate"], {"method": "microaggregate"}),
    "swap": (["--method", "swap"], {"method": "swap"}),
    "pipeline": (
        ["--method", "mondrian,microaggregate", "--k", "4"],
        {"method": "mondrian,microaggregate", "k": 4},
    ),
    "order": (
        ["--method", "mondrian", "--k", "4", "--keep-order"],
        {"method": "mondrian", "k": 4, "keep_order": True},
    ),
}


def saved(release, name: str) -> tuple[bytes, dict]:
    """The public bytes of a release and what its manifest claims."""
    sep = ";" if b";" in Path("x.csv").read_bytes() else ","
    tk.save(release, name, sep=sep)
    return Path(name).read_bytes(), claims(name)


def claims(name: str) -> dict:
    found = json.loads(Path(f"{name}.manifest.json").read_text())
    return {key: found[key] for key in ("rows", "columns", "claims", "account")}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("request_", REQUESTS)
def test_command_line_and_python_release_the_same_file(tokumei, form, request_):
    write(form)
    options, given = REQUESTS[request_]
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", *OPTIONS, *options, "--seed", "5", "--out", "y.csv"
    )
    assert ran.code == 0, ran.err
    release = tk.anonymize("x.csv", **given, **ROLES, seed=5)
    assert saved(release, "z.csv") == (Path("y.csv").read_bytes(), claims("y.csv"))


@pytest.mark.parametrize("request_", REQUESTS)
def test_frames_are_released_as_their_file(tokumei, request_):
    write("plain")
    given = REQUESTS[request_][1]
    by_path = tk.anonymize("x.csv", **given, **ROLES, seed=5)
    for frame in (people(), people().to_pandas(), people().to_arrow()):
        release = tk.anonymize(
            frame, **given, **ROLES, seed=5, sha256=by_path.provenance.source_sha256
        )
        assert saved(release, "z.csv") == saved(by_path, "y.csv")


def test_a_single_column_may_be_a_string(tokumei):
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "pay": [4, 5, 6, 7]})
    release = tk.anonymize(frame, "mondrian", k=2, qi="age", sa="pay", seed=1)
    assert release.public.schema.qi == ["age"]


def test_saved_roles_hold_in_python_as_on_the_command_line(tokumei):
    write("plain")
    command = ["anonymize", "table", "--data", "x.csv", "--k", "4", "--seed", "5"]
    assert tokumei(*command, *OPTIONS, "--save-roles", "--out", "y.csv").code == 0
    release = tk.anonymize("x.csv", "mondrian", k=4, seed=5)
    assert saved(release, "z.csv") == (Path("y.csv").read_bytes(), claims("y.csv"))


@pytest.mark.parametrize("library", ["pandas", "text", "table"])
def test_only_a_release_is_saved(library, tmp_path):
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "pay": [4, 5, 6, 7]})
    data = {"pandas": frame, "text": "age", "table": tk.Table.of(frame)}[library]
    with pytest.raises(tk.UsageError, match=r"is not a release: save what tk\.anonymize returns"):
        tk.save(data, tmp_path / "x.csv")
    assert not [*tmp_path.iterdir()]

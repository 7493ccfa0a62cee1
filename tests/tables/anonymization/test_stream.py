"""Tests of tokumei.tables.anonymization.stream."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tokumei.tables.anonymization.stream as stream_flow
import tokumei.tables.engines.stream as streaming
from tokumei.apps.cli.app import main
from tokumei.core.errors import ClaimError, InputError, OutputError, UsageError
from tokumei.core.provenance import Claim
from tokumei.files import file_formats
from tokumei.files.reading import read_frame
from tokumei.files.writing import read_link
from tokumei.tables.anonymization.in_memory import build_method, make_release
from tokumei.tables.anonymization.out_of_core import Roles
from tokumei.tables.anonymization.stream import anonymize_stream, save_stream
from tokumei.tables.data.column_report import ReleaseDecisions
from tokumei.tables.data.reading import read_table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.engines.stream import RecodedRows, StreamEngine
from tokumei.tables.engines.stream_files import open_stream

METHODS = [
    ("local", {"k": 5, "hierarchies": "auto"}),
    ("flash", {"k": 5, "hierarchies": "auto", "suppression": 0.02}),
    ("datafly", {"k": 5, "hierarchies": "auto"}),
    ("mondrian-hierarchical", {"k": 5, "hierarchies": "auto"}),
    ("k-member", {"k": 5}),
    ("one-pass", {"k": 5}),
    ("local-suppression", {"k": 5}),
    ("mondrian", {"k": 5}),
    ("mondrian", {"k": 4, "conditions": ("l=3",)}),
]


NAMED = ReleaseDecisions(("name",))


@pytest.fixture
def source(tmp_path: Path) -> tuple[Path, list[str], list[str]]:
    table = sample_table(1200, seed=3)
    path = tmp_path / "x.csv"
    frame = table.frame.with_columns(pl.arange(table.rows).cast(pl.String).alias("name"))
    frame.write_csv(path)
    return path, table.schema.qi[:4], table.schema.sa[:2]


def cells(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema=False)


@pytest.mark.parametrize(("name", "params"), METHODS, ids=lambda value: str(value)[:30])
def test_the_rows_are_those_of_the_release_in_memory(source, tmp_path, name, params):
    path, qi, sa = source
    if "conditions" in params:
        params = {**params, "sensitive": tuple(sa[:1])}
        sa = []
    method = build_method(name, params)
    roles = Roles(qi=qi, sa=sa, ids=["name"])
    save_stream(anonymize_stream(path, method, roles, seed=1, consent=NAMED), tmp_path / "y.csv")
    table = read_table(path, qi=qi, sa=sa, ids=["name"])
    expected = make_release(table, method, seed=1).public.frame
    expected.write_csv(tmp_path / "e.csv")
    found, wanted = read_frame(tmp_path / "y.csv"), read_frame(tmp_path / "e.csv")
    assert_frame_equal(found, wanted, check_row_order=False)


def test_the_link_leads_from_every_row_to_its_own(source, tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "CHUNK_BYTES", 50_000)
    monkeypatch.setattr(streaming, "PART_BYTES", 80_000)
    path, qi, sa = source
    release = anonymize_stream(
        path, build_method("mondrian", {"k": 3}), Roles(qi, sa), seed=5, consent=NAMED
    )
    save_stream(release, tmp_path / "y.csv", secret=tmp_path / "l.csv")
    released, original = cells(tmp_path / "y.csv"), cells(path)
    link = read_link(tmp_path / "l.csv", released.height, original.height)
    assert released["name"].to_list() == original["name"].gather(link).to_list()
    assert (link != np.arange(len(link))).mean() > 0.9
    assert (tmp_path / "l.csv").stat().st_mode & 0o777 == 0o600
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".tokumei")]


def test_rows_that_keep_their_order(source, tmp_path):
    path, qi, sa = source
    method = build_method("mondrian", {"k": 3})
    save_stream(
        anonymize_stream(path, method, Roles(qi, sa), keep_order=True, consent=NAMED),
        tmp_path / "y.csv",
    )
    assert cells(tmp_path / "y.csv")["name"].to_list() == cells(path)["name"].to_list()


def test_columns_that_pass_are_the_same_bytes(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,note\n" + '1,"x, ""y"""\n2,007\n1,1.50\n2,\n' * 3, encoding="utf-8")
    method = build_method("mondrian", {"k": 6})
    named = ReleaseDecisions(passed=("note",))
    release = anonymize_stream(path, method, Roles(["a"]), keep_order=True, consent=named)
    save_stream(release, tmp_path / "y.csv")
    assert cells(tmp_path / "y.csv")["note"].to_list() == ['x, "y"', "007", "1.50", None] * 3


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.lists(
        st.tuples(*[st.sampled_from(["", "1", "2", "x", '"', "a,b", "\n"])] * 3), min_size=1
    ),
)
def test_tuples_are_counted_as_by_hand(tmp_path, rows):
    path = tmp_path / "t.csv"
    frame = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    frame.write_csv(path)
    found = StreamEngine(open_stream(path)).tuples(["a", "b"])
    by_hand: dict[tuple[str | None, ...], int] = {}
    for a, b, _ in rows:
        key = (a or None, b or None)
        by_hand[key] = by_hand.get(key, 0) + 1
    source = found.source.rows()
    assert set(source) == set(by_hand)
    typed = Counter()
    for row, place in zip(source, found.rows, strict=True):
        typed[int(place)] += by_hand[row]
    assert [typed[t] for t in range(len(found.counts))] == found.counts.tolist()


CELLS = st.sampled_from([None, "", "1", "x"])


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9)), min_size=1),
    dropped=st.sets(st.tuples(CELLS, CELLS), max_size=3),
    chunk=st.integers(1, 5),
    collide=st.booleans(),
)
def test_rows_get_the_cells_of_their_tuples(monkeypatch, rows, dropped, chunk, collide):
    schema = {"a": pl.String, "b": pl.String, "c": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    tuples = list(dict.fromkeys(row[:2] for row in rows))
    kept = [one for one in tuples if one not in dropped]
    cells = {
        "b": pl.Series([f"new {i}" for i in range(len(kept))]),
        "a": pl.Series(range(len(kept)), dtype=pl.Int64),
    }
    two = {"a": pl.String, "b": pl.String}
    source = pl.DataFrame(tuples, schema=two, orient="row")
    counted = LocalEngine(source).tuples(["a", "b"])
    numbers = counted.rows[[tuples.index(one) for one in kept]]
    new = RecodedCells(replace(counted, source=source), cells, numbers)
    with monkeypatch.context() as patch:
        if collide:
            patch.setattr(streaming, "_hash_columns", colliding)
        found = RecodedRows.of(frame.lazy(), new)
    expected = [
        (kept.index((a, b)), f"new {kept.index((a, b))}", c) for a, b, c in rows if (a, b) in kept
    ]
    assert [row for some in found.in_order(chunk) for row in some.iter_rows()] == expected


def colliding(names, seed, real=streaming._hash_columns):
    """The first seeds give tuples that begin alike the same number."""
    return real(names if seed > 2 else names[:1], seed)


@pytest.mark.parametrize("moment", ["reading", "writing"])
@pytest.mark.parametrize("change", ["longer", "replaced", "gone"])
def test_a_source_that_changes_meanwhile_is_told(source, tmp_path, monkeypatch, moment, change):
    path, qi, sa = source

    def changed(*given, **named):
        text = path.read_text(encoding="utf-8")
        if change == "replaced":
            path.rename(tmp_path / "before.csv")
            path.write_text(text, encoding="utf-8")
        elif change == "longer":
            path.write_text(text + text[text.index("\n") + 1 :], encoding="utf-8")
        else:
            path.unlink()
        return real(*given, **named)

    method, roles = build_method("mondrian", {"k": 3}), Roles(qi, sa)
    if moment == "reading":
        real = stream_flow._profile_rows
        monkeypatch.setattr(stream_flow, "_profile_rows", changed)
        with pytest.raises(InputError, match="changed while"):
            anonymize_stream(path, method, roles, consent=NAMED)
        return
    release = anonymize_stream(path, method, roles, consent=NAMED)
    real = StreamEngine.rows
    monkeypatch.setattr(StreamEngine, "rows", changed)
    with pytest.raises(InputError, match="changed while"):
        save_stream(release, tmp_path / "y.csv", secret=tmp_path / "l.csv")
    left = {one.name for one in tmp_path.iterdir()}
    assert left <= {"x.csv", "before.csv"}


@pytest.mark.parametrize("room", [2**11, 2**14, 2**16])
@pytest.mark.parametrize("shuffled", [True, False])
def test_a_full_disk_leaves_nothing(source, tmp_path, room, shuffled):
    path, qi, sa = source
    method, roles = build_method("mondrian", {"k": 3}), Roles(qi, sa, ["name"])
    release = anonymize_stream(path, method, roles, seed=1, keep_order=not shuffled)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
        with pytest.raises(OutputError, match="would be too large"):
            save_stream(release, tmp_path / "y.csv", secret=tmp_path / "l.csv")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.csv"]


def test_killed_outright_it_leaves_nothing_but_hidden_files(source, tmp_path):
    path, qi, _ = source
    code = f"""
import os, signal, tokumei.tables.anonymization.stream as flow
from tokumei.tables.anonymization.out_of_core import Roles
from tokumei.tables.anonymization.in_memory import build_method
method, roles = build_method("mondrian", {{"k": 3}}), Roles({qi}, ids=["name"])
release = flow.anonymize_stream({str(path)!r}, method, roles)
flow.StreamRelease._verify_written = lambda *given: os.kill(os.getpid(), signal.SIGKILL)
flow.save_stream(release, {str(tmp_path / "y.csv")!r}, secret={str(tmp_path / "l.csv")!r})
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False)
    assert ended.returncode == -signal.SIGKILL
    left = [one for one in tmp_path.iterdir() if one != path]
    assert left
    assert all(one.name.startswith(".tokumei-") for one in left)
    folders = [one for one in left if one.is_dir()]
    assert [one.stat().st_mode & 0o777 for one in folders] == [0o700]


@pytest.mark.long
@pytest.mark.parametrize("threads", ["1", "3"])
def test_a_seed_gives_the_same_bytes_with_any_number_of_threads(source, tmp_path, threads):
    path, qi, _ = source
    asked = ["anonymize", "table", "--engine", "stream", "--data", str(path), "--qi", ",".join(qi)]
    asked += ["--k", "3", "--seed", "7", "--pass", "name", "--out"]
    with pytest.raises(SystemExit):
        main([*asked, str(tmp_path / "here.csv")])
    command = [sys.executable, "-m", "tokumei", *asked, str(tmp_path / "there.csv")]
    subprocess.run(command, env={**os.environ, "POLARS_MAX_THREADS": threads}, check=True)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def test_nothing_is_written_when_the_claim_does_not_hold(source, tmp_path, monkeypatch):
    path, qi, sa = source
    release = anonymize_stream(
        path, build_method("mondrian", {"k": 3}), Roles(qi, sa), consent=NAMED
    )
    broken = [Claim("k-anonymity", {"k": 400, "columns": qi})]
    release = replace(release, claims=tuple(broken))
    with pytest.raises(ClaimError):
        save_stream(release, tmp_path / "y.csv", secret=tmp_path / "l.csv")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.csv"]


def test_sensitive_cells_may_be_texts(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,s\n1,2\n1,x\n1,\n", encoding="utf-8")
    release = anonymize_stream(path, build_method("mondrian", {"k": 2}), Roles(["a"], ["s"]))
    save_stream(release, tmp_path / "y.csv")
    assert sorted(cells(tmp_path / "y.csv")["s"].fill_null("")) == ["", "2", "x"]


def test_methods_on_rows_and_other_encodings_are_refused(source):
    path, qi, sa = source
    with pytest.raises(UsageError, match="noise works on all rows"):
        anonymize_stream(path, build_method("noise", {"scale": 0.1}), Roles(qi, sa), consent=NAMED)
    with pytest.raises(UsageError, match="must be UTF-8"):
        open_stream(path, encoding="cp932")


def test_the_source_is_named_by_its_hash_on_the_secret_side_only(source, tmp_path):
    path, qi, sa = source
    release = anonymize_stream(
        path, build_method("mondrian", {"k": 3}), Roles(qi, sa), seed=2, consent=NAMED
    )
    save_stream(release, tmp_path / "y.csv", secret=tmp_path / "l.csv")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest in (tmp_path / "l.csv.provenance.json").read_text(encoding="utf-8")
    assert digest not in (tmp_path / "y.csv.manifest.json").read_text(encoding="utf-8")


def test_the_command_streams_when_asked_or_when_memory_is_small(
    source, tmp_path, monkeypatch, capsys
):
    path, qi, sa = source
    asked = ["anonymize", "table", "--data", str(path), "--qi", ",".join(qi), "--sa", ",".join(sa)]
    asked += ["--id", "name", "--k", "4", "--seed", "1"]
    made = []
    for number, more in enumerate([[], ["--engine", "stream"], []]):
        if number == 2:
            monkeypatch.setattr(file_formats, "free_memory", lambda: 1000)
        with pytest.raises(SystemExit) as stop:
            main([*asked, *more, "--out", str(tmp_path / f"{number}.csv")])
        assert not stop.value.code
        assert ("Rows stay on disk" in capsys.readouterr().err) == bool(number)
        made.append(read_frame(tmp_path / f"{number}.csv"))
    assert_frame_equal(made[0], made[1], check_row_order=False)
    assert_frame_equal(made[1], made[2])


def test_a_streamed_table_needs_roles(source, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(
            ["anonymize", "table", "--engine", "stream", "--data", str(source[0]), "--out", "y.csv"]
        )
    assert stop.value.code == 2
    assert "--qi" in capsys.readouterr().err


def test_a_column_that_passes_and_numbers_rows_is_refused(source):
    path, qi, sa = source
    method, roles = build_method("mondrian", {"k": 3}), Roles(qi, sa)
    with pytest.raises(ClaimError, match="'name' seems to be of type 'row number'"):
        anonymize_stream(path, method, roles)
    release = anonymize_stream(path, method, roles, consent=NAMED)
    assert release.account.entries["name"].consent == "named"
    assert not release.unchanged
    assert release.source_rows == release.rows == 1200

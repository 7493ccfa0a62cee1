"""A sample contest can be judged at once, and own data is taken as it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.apps.contest.spec.model import LocalizedText, Phase, PhaseType
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.errors import InputError, OutputError, UnknownNameError
from tokumei.files.reading import read_frame

START = datetime(2026, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize("preset", ["pws2017", "pws2018", "table"])
def test_every_preset_can_be_judged_at_once(tmp_path, preset):
    path = write_sample_contest(tmp_path / "new" / "c", preset=preset, rows=300)
    contest = read_contest_folder(path)
    assert contest.format == preset
    assert [phase.kind for phase in contest.phases] == [PhaseType.ANONYMIZE, PhaseType.ATTACK]
    assert load_judge(contest, path.parent).guess_files()


def test_the_same_seed_gives_the_same_data(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_sample_contest(tmp_path / name, rows=300, seed=seed)
    first, same, other = ((tmp_path / name / "T.csv").read_bytes() for name in "abc")
    assert first == same != other


def test_words_and_phases_are_written_as_given(tmp_path):
    phases = [Phase(kind=PhaseType.ATTACK, starts=START, ends=START + timedelta(hours=1))]
    title = LocalizedText(en='"Quoted": # {x}', ja="引用 '「」'\n二行目")
    path = write_sample_contest(tmp_path / "c", rows=300, phases=phases, title=title, slug="a-1")
    contest = read_contest_folder(path)
    assert (contest.phases, contest.title, contest.slug) == (tuple(phases), title, "a-1")


def test_own_data_is_copied_and_a_table_needs_its_schema(tmp_path):
    write_sample_contest(tmp_path / "c", preset="table", rows=100)
    own = tmp_path / "people.csv"
    read_frame(tmp_path / "c" / "X.csv").with_row_index("person_id").write_csv(own)
    with pytest.raises(InputError, match=r"schema\.qi is needed"):
        write_sample_contest(tmp_path / "d", preset="table", data={"original": own})
    schema = {"qi": ["earners", "region"], "sa": ["food"], "id": ["person_id"]}
    path = write_sample_contest(
        tmp_path / "d", preset="table", data={"original": own}, schema=schema
    )
    judge = load_judge(read_contest_folder(path), path.parent)
    assert (path.parent / "people.csv").read_bytes() == own.read_bytes()
    assert "person_id" not in judge.format.original.schema.names


def test_nothing_is_overwritten(tmp_path):
    write_sample_contest(tmp_path, rows=300)
    with pytest.raises(OutputError, match="contest already"):
        write_sample_contest(tmp_path, rows=300)


def test_what_cannot_be_is_not_written(tmp_path):
    with pytest.raises(UnknownNameError, match="Did you mean 'table'"):
        write_sample_contest(tmp_path / "c", preset="tabel")
    with pytest.raises(InputError):
        write_sample_contest(tmp_path / "c", slug="Not a slug", rows=300)
    assert not (tmp_path / "c").exists()

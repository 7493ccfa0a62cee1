"""Tests of tokumei.apps.papers.own.study."""

import pytest

from apps.papers.own.own_study_samples import write_history
from apps.papers.papers_helpers import entries
from tokumei.apps.papers.own.study import OWN_STUDIES, OwnStudy, run_own_study
from tokumei.core.errors import InputError, UnknownNameError
from tokumei.core.lazy_imports import load_object


@pytest.mark.parametrize("number", OWN_STUDIES)
def test_every_block_of_a_paper_is_made_or_says_why_not(number):
    study: type[OwnStudy] = load_object(OWN_STUDIES[number])
    assert study.number == number
    for name in entries(number):
        assert name in study.absent or callable(getattr(study, name)), name
    assert set(study.absent) <= set(entries(number))


def test_a_run_names_its_command_and_only_the_tables_asked_for(tmp_path):
    path = write_history(tmp_path, rows=200, customers=20)
    run = run_own_study("000", path, {"k": "2-3"}, tables=["table9"])
    assert run.command == "tokumei paper 000 --data own.csv --set k=2-3"
    (table,) = run.as_json()
    assert [row[0] for row in table["rows"]] == [2, 3]
    assert table["columns"] == ["k", "loss", "risk", "sum"]
    title, note = run.as_text()
    assert title.title.show("en") == "Table 9: Loss, 1/k and their sum"
    assert note.show("en").startswith("Smallest sum: k = ")


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        run_own_study("000", tmp_path / "none.csv", {})
    path = write_history(tmp_path, rows=50, customers=9)
    with pytest.raises(UnknownNameError, match="table77"):
        run_own_study("000", path, {}, tables=["table77"])
    with pytest.raises(UnknownNameError, match="'q'"):
        run_own_study("000", path, {"q": 1})

"""Tests of tokumei.apps.papers.own.study_page."""

from apps.papers.own.own_study_samples import write_history
from tokumei.apps.papers.own.study import run_own_study
from tokumei.apps.papers.own.study_page import render_study


def test_the_page_has_tables_charts_and_the_command(tmp_path):
    path = write_history(tmp_path, rows=200, customers=20)
    run = run_own_study("000", path, {"k": "2-3"}, tables=["table4", "figure2"])
    page = render_study(run, lang="ja")
    assert 'id="table4"' in page
    assert 'data-chart="figure2"' in page
    assert "tokumei paper 000 --data own.csv --set k=2-3" in page
    assert page == render_study(run, lang="ja")

"""Tests of tokumei.apps.papers.page."""

from apps.papers.papers_helpers import entries
from tokumei.apps.papers.page import render_paper
from tokumei.apps.papers.reproduction import run_paper


def test_the_page_has_every_block_in_both_languages():
    run = run_paper("002")
    page = render_paper(run, lang="ja")
    for name in entries("002"):
        assert f'id="{name}"' in page
    assert "tokumei paper 002 --table figure7" in page
    assert 'class="verdict is-explained"' in page
    assert page == render_paper(run, lang="ja")

"""Tests of tokumei.apps.papers.prices."""

from tokumei.apps.papers.reproduction import run_paper


def test_nothing_made_to_fit_the_paper_counts_as_equal():
    run = run_paper("002")
    assert not run.counts["differs"]
    verdicts = {block.printed.id: [line.verdict for line in block.lines] for block in run.blocks}
    assert set(verdicts["table1"]) == {"equal"}
    assert verdicts["table6"][:5] == ["equal", *["printed"] * 4], "the people are not public"
    assert verdicts["figure7"][0] == "explained"
    assert set(verdicts["figure8"]) == {"printed"}

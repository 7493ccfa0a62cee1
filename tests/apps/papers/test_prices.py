"""Tests of tokumei.apps.papers.prices."""

from tokumei.apps.papers.reproduction import run_paper


def test_the_prices_of_the_twin_give_every_table():
    run = run_paper("002")
    assert not run.counts["differs"]
    verdicts = {block.printed.id: block.verdict for block in run.blocks}
    assert verdicts["table1"] == "equal"
    assert verdicts["table4"] == verdicts["table5"] == verdicts["table6"] == "twin"
    assert verdicts["figure7"] == "slip"

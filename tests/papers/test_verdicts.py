"""What a line, a block and a whole run come to."""

import pytest

from tokumei.core.text import Text
from tokumei.papers.headings import heading
from tokumei.papers.printed import NUMBERS, Printed, read_book
from tokumei.papers.verdict import Beside, Found, compare, judge, waiting

TITLE = Text("a table", "表")


def table(rows, corrected=None):
    return Printed("table1", TITLE, ["k", "loss"], rows, (), corrected or {})


@pytest.mark.parametrize(
    ("paper", "ours", "limit", "more", "verdict"),
    [
        (7, 7, 0.0, {}, "equal"),
        (7, 7.0, 0.0, {}, "equal"),
        ("a", "a", 0.0, {}, "equal"),
        ([1, 2], [1, 2], 0.0, {}, "equal"),
        (0.348, 0.3482, 0.001, {}, "within"),
        (0.348, 0.35, 0.001, {}, "differs"),
        ("△", "○", 0.0, {}, "differs"),
        ("△", "○", 0.0, {"corrected": "○"}, "slip"),
        (0.583, 0.5589, 0.002, {"corrected": 0.558}, "slip"),
        (0.583, 0.5689, 0.002, {"corrected": 0.558}, "differs"),
        (12, 12, 0.0, {"twin": True}, "twin"),
        (12, 13, 0.0, {"twin": True}, "differs"),
        (12, 99, None, {}, "twin"),
    ],
)
def test_a_cell(paper, ours, limit, more, verdict):
    assert judge(paper, ours, limit, **more)[0] == verdict


def test_a_line_is_as_bad_as_its_worst_cell_and_a_block_as_its_worst_line():
    printed = table([[2, 0.5], [3, 0.4], [4, 0.3]], {(1, "loss"): 0.3})
    found = Found([[2, 0.5004], [3, 0.3], None], tolerance={"loss": 0.001})
    block = compare(printed, found)
    assert [line.verdict for line in block.lines] == ["within", "slip", "printed"]
    assert block.verdict == "slip"
    assert block.lines[0].tolerance == "±0.001"
    assert block.lines[1].difference == pytest.approx(-0.1)


def test_what_stands_beside_a_table_counts():
    printed = table([[2, 0.5]])
    beside = [Beside(Text("best k", "最良の k"), 6, 7)]
    assert compare(printed, Found([[2, 0.5]], beside=beside)).verdict == "differs"


def test_rows_must_fit():
    with pytest.raises(ValueError, match="1 rows computed, 2 printed"):
        compare(table([[2, 0.5], [3, 0.4]]), Found([[2, 0.5]]))


def test_without_data_a_block_waits():
    block = waiting(table([[2, 0.5]]), "T.csv")
    assert (block.verdict, block.needs, block.as_json()["needs"]) == ("waiting", "T.csv", "T.csv")


def test_keys_become_words_and_words_of_the_paper_stay() -> None:
    assert heading("loss_items").show("ja") == "損失 (商品)"
    assert heading("method_A") == Text("method A", "手法 A")
    assert heading("level2").en == "level 2"
    assert heading("DA") == Text("DA", "DA")
    for number in NUMBERS:
        for block in read_book(number).blocks.values():
            assert not [name for name in block.columns if "_" in heading(name).en]

from pathlib import Path

import pytest

from tokumei.core.errors import InputError
from tokumei.histories.categories.keyword_rules_file import parse_keyword_rules
from tokumei.histories.categories.keywords import KeywordRules

GOOD = """
# comment
- category: tools
  keywords: [hammer, Spirit  Level, saw*, =nail]
- category: 家具
  keywords:
    - no
    - chairs
"""


def faults_of(text):
    with pytest.raises(InputError) as caught:
        parse_keyword_rules(text, where="mine.yaml")
    assert "mine.yaml" in str(caught.value)
    return [(fault.line, fault.message.show("en")) for fault in caught.value.faults]


def test_keywords_come_in_order_with_lines():
    keywords = parse_keyword_rules(GOOD, where="mine.yaml")
    assert [(k.text, k.category, k.line) for k in keywords] == [
        ("hammer", "tools", 4),
        ("Spirit Level", "tools", 4),
        ("saw*", "tools", 4),
        ("=nail", "tools", 4),
        ("no", "家具", 7),
        ("chairs", "家具", 8),
    ]
    assert keywords[1].words == ("spirit", "level")
    assert (keywords[2].open_end, keywords[3].whole) == (True, True)


def test_the_beginning_of_a_word_is_not_folded():
    (keyword,) = parse_keyword_rules("- {category: a, keywords: [cookies glass*]}", where="x")
    assert keyword.words == ("cooky", "glass")
    (keyword,) = parse_keyword_rules("- {category: a, keywords: [hats*]}", where="x")
    assert keyword.words == ("hats",)


@pytest.mark.parametrize("bad", ["'*'", "=", "a*b", "'*a'", "=a*", "a=b", "'?'", "''", "a *"])
def test_bad_keywords_are_named_with_their_line(bad):
    ((line, message),) = faults_of(f"- category: a\n  keywords:\n    - good\n    - {bad}\n")
    assert line == 4
    assert bad.strip("'") in message


def test_all_faults_are_listed_in_order_of_lines():
    text = """- category: a
  keywords: [one, '?']
- keywords: [two]
- category: b
  keywords: [ones, [three]]
- category: ' '
  keywords: [four]
- just text
"""
    assert [line for line, _ in faults_of(text)] == [2, 3, 5, 5, 6, 8]


@pytest.mark.parametrize("later", ["Mugs", "coffee mug", "mug rack", "=mug", "mug rac*"])
def test_a_keyword_that_can_never_decide_is_a_fault(later):
    text = f"- {{category: a, keywords: [mug]}}\n- {{category: b, keywords: [{later}]}}\n"
    ((line, message),) = faults_of(text)
    assert line == 2
    assert "'mug' on line 1" in message


@pytest.mark.parametrize("later", ["muggle", "mu*", "mug*", "smug"])
def test_a_keyword_that_holds_no_earlier_one_is_fine(later):
    text = f"- {{category: a, keywords: [mug, =pot]}}\n- {{category: b, keywords: [{later}, pot]}}"
    assert len(parse_keyword_rules(text, where="x")) == 4


def test_a_keyword_may_be_repeated_for_the_same_category():
    text = "- {category: a, keywords: [mug]}\n- {category: a, keywords: [Mugs]}\n"
    assert len(parse_keyword_rules(text, where="x")) == 2


@pytest.mark.parametrize("text", ["", "word", "a: b", "[1, 2]"])
def test_another_shape_is_a_fault(text):
    assert faults_of(text)


def test_no_keywords_at_all():
    with pytest.raises(InputError, match="no keywords"):
        parse_keyword_rules("- {category: a, keywords: []}", where="x")


@pytest.mark.parametrize("text", ["- category: [", "- a\n\t- b", "- \x01"])
def test_broken_yaml_is_an_input_error(text):
    assert faults_of(text)


def test_rules_are_read_from_files_in_utf8_and_cp932(tmp_path):
    for encoding in ("utf-8", "cp932"):
        path = tmp_path / f"{encoding}.yaml"
        path.write_bytes(GOOD.encode(encoding))
        rules = KeywordRules.read(path)
        assert rules.explain("two chairs").category == "家具"


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml"):
        KeywordRules.read(tmp_path / "none.yaml")


def test_the_message_is_in_japanese_too():
    with pytest.raises(InputError) as caught:
        parse_keyword_rules("- {category: a, keywords: ['?']}", where=Path("x"))
    assert "1 行目" in caught.value.faults[0].message.show("ja")

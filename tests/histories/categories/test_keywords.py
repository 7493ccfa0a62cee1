import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.histories.categories.keyword_rules_file import (
    fold_plural,
    parse_keyword_rules,
    split_words,
)
from tokumei.histories.categories.keywords import TAXONOMY, KeywordRules, keyword_categories

BUILTIN = KeywordRules.named()


def items(*descriptions):
    codes = [f"{10000 + n}" for n in range(len(descriptions))]
    columns = {"item": codes, "description": list(descriptions)}
    return pl.DataFrame(columns, schema={"item": pl.String, "description": pl.String})


@pytest.mark.parametrize(
    ("description", "category"),
    [
        ("CERAMIC STRAWBERRY DESIGN MUG", "キッチン用品"),
        ("PINK HEART SHAPE EGG FRYING PAN", "キッチン用品"),
        ("LARGE YELLOW BABUSHKA NOTEBOOK", "文具"),
        ("36 PENCILS TUBE SKULLS", "文具"),
        ("Hot water bottle, blue", "生活用品"),
        ("Glass bottles", "雑貨"),
        ("Scarf knitting kit", "手芸品"),
        ("Woollen scarf", "衣類"),
        ("Laundry metal sign", "装飾品"),
        ("Peg bag", "ランドリー用品"),
        ("Umbrella", "雑貨"),
        ("Umbrella stand", "家具"),
        ("Children's umbrella", "子供用"),
        ("Watering can", "ガーデニング用品"),
        ("Soap dish", "バス用品"),
        ("Dog bowl", "ペット用品"),
        ("First aid kit", "応急用品"),
        ("Lip gloss", "化粧品"),
        ("Croquet set", "スポーツ用品"),
        ("Harmonica in box", "楽器"),
        ("POSTAGE", "その他"),
        ("Manual", "その他"),
        ("Manual coffee grinder", "キッチン用品"),
        ("CARRIAGE", "その他"),
        ("Carriage clock", "家具"),
    ],
)
def test_built_in_rules(description, category):
    assert BUILTIN.category(description) == category


@pytest.mark.parametrize(
    "description", [None, "", "?", "??? missing", "damaged", "thrown away mugs", "RED XYZZY 12CM"]
)
def test_what_nothing_tells_is_unknown(description):
    assert BUILTIN.category(description) == "不明"
    assert BUILTIN.category(description, language="en") == "unknown"


def test_built_in_rules_name_built_in_categories_and_every_one_of_them():
    assert {word.category for word in BUILTIN.keywords} == {category.id for category in TAXONOMY}


def test_every_built_in_keyword_can_decide():
    """No keyword stands behind another that always wins first."""
    for keyword in BUILTIN.keywords:
        found = BUILTIN.explain(keyword.text.strip("=*"))
        assert found is not None
        assert found.category == keyword.category, (keyword, found)


def test_the_explanation_names_keyword_and_line():
    found = BUILTIN.explain("RED RETROSPOT MUGS")
    assert (found.text, found.category) == ("mug", "kitchenware")
    assert found.line > 1
    assert BUILTIN.explain("XYZZY") is None


def test_whole_words_only():
    assert BUILTIN.category("SMUGGLER") == "不明"
    assert BUILTIN.category("COMPANY") == "不明"


def test_categories_of_a_frame_in_both_languages():
    frame = items("mug", None, "notebook")
    ja, en = keyword_categories(frame), keyword_categories(frame, language="en")
    assert ja.name == "keywords"
    assert list(ja.of.values()) == ["キッチン用品", "不明", "文具"]
    assert list(en.of.values()) == ["kitchenware", "unknown", "stationery"]
    assert keyword_categories(items()).of == {}


def test_own_rules_replace_the_built_in_ones(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("- {category: kitchenware, keywords: [mug]}\n- {category: z, keywords: [z*]}")
    found = keyword_categories(items("a mug", "zebras", "notebook"), rules=path)
    assert list(found.of.values()) == ["キッチン用品", "z", "不明"]


WORDS = ["mug", "mugs", "cat", "cats", "cookie", "cookies", "glass", "glasses", "x"]
PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
KEYWORDS = st.tuples(PHRASES, st.sampled_from(["{}", "={}", "{}*"])).map(
    lambda pair: pair[1].format(pair[0])
)


def slow_decision(rules, description):
    """Every keyword in order at every place."""
    written = split_words(description)
    words = [fold_plural(word) for word in written]
    for keyword in rules:
        size = len(keyword.words)
        for place in range(len(words) - size + 1):
            pieces = range(size)
            same = [words[place + n] == keyword.words[n] for n in pieces]
            if keyword.open_end:
                same[-1] = written[place + size - 1].startswith(keyword.words[-1])
            if all(same) and not (keyword.whole and size != len(words)):
                return keyword
    return None


@given(
    st.lists(KEYWORDS, min_size=1, max_size=8),
    st.lists(st.sampled_from([*WORDS, "catseye", "mugshot"]), max_size=5).map(" ".join),
)
def test_lookup_decides_as_the_slow_loop(keywords, description):
    text = "".join(f"- {{category: same, keywords: ['{word}']}}\n" for word in keywords)
    rules = parse_keyword_rules(text, where="x")
    assert KeywordRules.of(rules).explain(description) == slow_decision(rules, description)

import pytest

from tokumei.histories.categories.keyword_rules_file import fold_plural, split_words


def test_words_lose_case_punctuation_and_plural():
    words = split_words("3 CHILDREN'S Mugs, BLUE/WHITE+T-LIGHT ＭＵＧ")
    assert tuple(map(fold_plural, words)) == (
        "3",
        "child",
        "mug",
        "blue",
        "white",
        "t",
        "light",
        "mug",
    )
    assert split_words("Cookies & Children's") == ("cookies", "childrens")


@pytest.mark.parametrize("text", ["", "?", " -- ", "***"])
def test_no_letters_no_words(text):
    assert split_words(text) == ()


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("mug", "mugs"),
        ("box", "boxes"),
        ("dish", "dishes"),
        ("match", "matches"),
        ("dress", "dresses"),
        ("glass", "glasses"),
        ("case", "cases"),
        ("purse", "purses"),
        ("doily", "doilies"),
        ("cookie", "cookies"),
        ("pie", "pies"),
        ("knife", "knives"),
        ("shelf", "shelves"),
        ("child", "children"),
        ("child", "childrens"),
        ("mouse", "mice"),
    ],
)
def test_singular_and_plural_fold_to_the_same(one, many):
    assert fold_plural(one) == fold_plural(many)


@pytest.mark.parametrize("word", ["glass", "cactus", "trellis", "gas", "dress"])
def test_words_that_only_look_like_plurals_stay(word):
    assert fold_plural(word) == word

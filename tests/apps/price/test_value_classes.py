"""Tests of tokumei.apps.price.value_classes."""

from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.price.value_classes import (
    class_patterns,
    decile_classes,
    pareto_classes,
    sturges_classes,
)


def test_sturges_of_sixteen_people_are_five_classes():
    people = {str(age): 1 for age in range(16)}
    classes = sturges_classes(people)
    assert sorted(set(classes.values())) == ["[0;2]", "[12;15]", "[3;5]", "[6;8]", "[9;11]"]


def test_deciles_have_as_many_people_each():
    people = {str(age): 3 for age in range(20)}
    classes = decile_classes(people)
    assert len(set(classes.values())) == 10
    assert classes["0"] == classes["1"] == "[0;1]"


def test_pareto_puts_the_frequent_first():
    assert pareto_classes({"x": 80, "y": 15, "z": 5}) == {"x": "A", "y": "B", "z": "C"}
    assert pareto_classes({"z": 5, "x": 80, "y": 15}) == {"z": "C", "x": "A", "y": "B"}


@given(st.dictionaries(st.integers(0, 200).map(str), st.integers(1, 50), min_size=1, max_size=40))
def test_every_value_has_a_class(people):
    for classes in class_patterns(people).values():
        assert set(classes) == set(people)


def test_words_have_no_classes_of_numbers():
    assert set(class_patterns({"男性": 3, "女性": 2})) == {"pareto"}

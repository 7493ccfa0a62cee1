"""Tests of tokumei.tables.hierarchies.nested_yaml."""

from hypothesis import given

from support.hierarchy_trees import trees
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.nested_yaml import parse_nested, to_nested_yaml


@given(trees())
def test_yaml_comes_back_with_the_same_paths(rows):
    made = Hierarchy.of("x", rows)
    again = Hierarchy.of("x", parse_nested(to_nested_yaml(made), where="x.yaml"))
    assert sorted(again.frame().rows()) == sorted(made.frame().rows())

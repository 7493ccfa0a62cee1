"""YAML files are read strictly, and what is wrong with them names its place."""

from pathlib import Path

import pytest

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.yaml_models import StrictModel, load_yaml, read_yaml_text, validate_model


class Step(StrictModel):
    name: str
    k: int = 2


class Plan(StrictModel):
    steps: tuple[Step, ...] = ()


def test_a_key_that_stands_twice_is_refused_with_its_line() -> None:
    assert load_yaml("a: 1\nb: 2\n", where="plan.yaml") == {"a": 1, "b": 2}
    with pytest.raises(InputError, match=r"plan\.yaml, line 3: the key 'a' appears twice"):
        load_yaml("a: 1\nb: 2\na: 3\n", where="plan.yaml")


def test_what_is_no_yaml_names_the_line_that_cannot_be_read() -> None:
    with pytest.raises(InputError, match=r"plan\.yaml, line 3: not valid YAML"):
        load_yaml("a: 1\nb: [1\n: }", where="plan.yaml")


def test_an_unknown_key_names_the_part_it_stands_in() -> None:
    data = {"steps": [{"name": "mondrian"}, {"name": "mondrian", "kk": 3}]}
    with pytest.raises(UnknownNameError, match=r"plan: steps\[1\].*kk"):
        validate_model(Plan, data, "plan")


def test_a_wrong_value_names_its_key() -> None:
    assert validate_model(Plan, {"steps": [{"name": "a", "k": 5}]}, "plan").steps[0].k == 5
    with pytest.raises(UsageError, match=r"plan: steps\.0\.k: "):
        validate_model(Plan, {"steps": [{"name": "a", "k": "many"}]}, "plan")


def test_a_file_that_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match=r"plan\.yaml: cannot be read"):
        read_yaml_text(path)

"""Fields of requests, named as the front end in use writes them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import polars as pl
import pytest
import yaml

import tokumei as tk
from core.fields_helpers import CLI, FORM, PYTHON, RECIPE
from tokumei.api.recipes import parse_recipe
from tokumei.apps.cli.app import main
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.fields import (
    as_current_front_end,
    current_front_end,
    field_name,
    field_value,
    field_values,
    method_parameter,
    takes_field,
    using_front_end,
)


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        (CLI, ["--qi-anyway", "--id", "--pass", "--truth", "--engine"]),
        (PYTHON, ["qi_anyway=", "ids=", "passed=", "link=", "--engine"]),
        (RECIPE, ["qi_anyway:", "ids:", "passed:", "truth:", "--engine"]),
        (FORM, ["'qi_anyway'", "'id'", "'passed'", "'truth'", "--engine"]),
    ],
)
def test_a_field_has_the_name_of_its_front_end(place, wanted):
    with using_front_end(place):
        names = [field_name(one) for one in ("qi_anyway", "id", "passed", "truth", "engine")]
    assert names == wanted


def test_values_are_written_as_they_can_be_pasted():
    with using_front_end(CLI):
        assert field_values("id", ["a,b", "my name"]) == "--id '\"a,b\",my name'"
        assert field_value("person", "none") == "--person none"
        assert field_value("complete", True) == "--complete"
        assert method_parameter("columns", ["a", "b"]) == "--set 'columns=[a,b]'"
        assert takes_field("engine")
    assert field_values("id", ["a,b", 'x"']) == 'ids=["a,b", "x\\""]'
    assert field_value("person", "none") == 'person="none"'
    assert field_value("complete", True) == "complete=True"
    assert method_parameter("columns", ["a", "b"]) == 'columns=["a", "b"]'
    assert takes_field("drop")
    assert not takes_field("engine")


@pytest.mark.parametrize("name", ["uid", "氏名", "a b", "no: 1", "12", "-", "x'y", "true-ish", '"'])
def test_what_a_recipe_is_told_is_yaml(name):
    with using_front_end(RECIPE):
        assert yaml.safe_load(field_values("id", [name])) == {"ids": [name]}
        assert yaml.safe_load(field_value("person", name)) == {"person": name}


@pytest.mark.parametrize("name", ["uid", "氏名", "a b", "x'y", '"', "\\n"])
def test_what_python_is_told_is_python(name):
    assert eval(f"dict({field_values('id', [name])})") == {"ids": [name]}
    assert eval(f"dict({field_value('person', name)})") == {"person": name}


def test_options_of_a_question_are_translated():
    assert as_current_front_end("--id 'my name'") == 'ids=["my name"]'
    assert as_current_front_end("--date-order dmy") == 'date_order="dmy"'
    assert as_current_front_end("--engine local") == "--engine local"
    with using_front_end(CLI):
        assert as_current_front_end("--id 'my name'") == "--id 'my name'"


def test_the_front_end_is_pythons_again_afterwards():
    with pytest.raises(KeyError), using_front_end(CLI):
        raise KeyError
    assert current_front_end() is PYTHON


ONLY_THE_COMMAND_LINE = [
    "--answers",
    "--apart",
    "--cluster",
    "--coarsen-of",
    "--engine",
    "--format",
    "--invariant",
    "--json",
    "--key",
    "--ledger",
    "--master",
    "--method",
    "--no-roles",
    "--recipient",
    "--remove",
    "--reuse",
    "--roles",
    "--save",
    "--seed",
    "--set",
    "--slack",
    "--wait",
    "--x",
    "--y",
]
"""Options of which messages below the front ends may speak: no other front end has them, or the
message stands in a manifest, which is the same whoever made it (--seed, --key)."""


MESSAGES = [
    "Text",
    "UsageError",
    "InputError",
    "ClaimError",
    "OutputError",
    "UnknownNameError",
    "input_error",
]


def spoken_options(path):
    """Options in the messages of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MESSAGES:
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from re.findall(r"(?<![\w-])--[a-z][a-z-]*", part.value)


def test_messages_below_the_front_ends_name_fields_not_options():
    home = Path(tk.__file__).parent
    rooms = ("core", "files", "tables", "histories", "pseudonyms", "ledger")
    modules = [path for room in rooms for path in (home / room).rglob("*.py")]
    below = [path for path in modules if not {"ask", "commands"} & {*path.parts, path.stem}]
    spoken = {path.stem: {*spoken_options(path)} - {*ONLY_THE_COMMAND_LINE} for path in below}
    assert {module: options for module, options in spoken.items() if options} == {}


def anonymize_by_command_line(path, options, capsys):
    """The sentence on stderr of a command that is refused."""
    with pytest.raises(SystemExit) as end:
        main([*f"anonymize table --data {path} --qi age --k 5 --out y.csv {options}".split()])
    assert end.value.code == 1
    return capsys.readouterr().err


@pytest.fixture
def rows(tmp_path):
    """A file of addresses that nobody called identifiers, and of people with several rows."""
    frame = pl.DataFrame(
        {
            "uid": [f"u{n // 5:03}x" for n in range(100)],
            "mail": [f"name{n}@example.com" for n in range(100)],
            "age": [20 + n % 40 for n in range(100)],
        }
    )
    frame.write_csv(path := tmp_path / "rows.csv")
    return path


def test_the_same_mistake_says_what_each_front_end_can_write(rows, capsys):
    told = anonymize_by_command_line(rows, "--person uid", capsys)
    assert "Drop it with --id mail, or release it all the same with --pass mail" in told
    with pytest.raises(ClaimError) as error:
        tk.anonymize(str(rows), "mondrian", k=5, qi="age", person="uid")
    assert 'with ids=["mail"], or release it all the same with passed=["mail"]' in str(error.value)
    recipe = parse_recipe(
        f"data: {{file: {rows}, qi: [age], sa: []}}\n"
        "releases: [{name: five, steps: [{method: mondrian, k: 5, person: uid}]}]\n"
    )
    with pytest.raises(ClaimError) as error:
        tk.run_recipe(recipe)
    assert "with ids: [mail], or release it all the same with passed: [mail]" in str(error.value)


def test_a_way_out_is_named_as_each_front_end_writes_it(rows, capsys):
    told = anonymize_by_command_line(rows, "--id uid,mail", capsys)
    for part in ("--person uid", "--person none", "--drop uid"):
        assert part in told
    with pytest.raises(ClaimError) as error:
        tk.anonymize(str(rows), "mondrian", k=5, qi="age", ids=["uid", "mail"])
    for part in ('person="uid"', 'person="none"', 'drop=["uid"]'):
        assert part in str(error.value)
    assert "--" not in str(error.value)


def test_a_wrong_column_is_a_field_with_a_value():
    table = tk.sample_table(60, seed=1)
    sensitive = table.schema.sa[0]
    with pytest.raises(UsageError, match=r"^sets=: '.*' is not a quasi-identifier") as error:
        tk.anonymize(table, "mondrian", k=3, sets=[sensitive])
    assert (error.value.field, error.value.value) == ("sets", sensitive)

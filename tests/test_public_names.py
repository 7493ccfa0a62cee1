"""The public surface is exactly `__all__` of the public modules, and importing it is cheap."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import tokumei as tk
from support.earlier_public_names import EARLIER_NAMES
from support.public_modules import PUBLIC_MODULES

SOURCE = Path(tk.__file__).parent


def test_the_top_level_is_small():
    assert len(tk.__all__) <= 52


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_every_public_name_exists_and_has_a_docstring(module):
    found = import_module(module)
    for name in found.__all__:
        one = getattr(found, name)
        plain = isinstance(one, str | dict)
        assert plain or one.__doc__, name


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_dir_is_all(module):
    found = import_module(module)
    assert dir(found) == sorted(found.__all__)
    assert list(found.__all__) == sorted(found.__all__)


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_type_checkers_see_the_names_that_python_finds(module):
    found = import_module(module)
    tree = ast.parse(Path(found.__file__).read_text(encoding="utf-8"))
    (choice,) = (one for one in tree.body if isinstance(one, ast.If))
    for one in choice.body:
        assert isinstance(one, ast.ImportFrom)
        assert all(name.name == name.asname for name in one.names), one.module
    typed = {name.asname: one.module for one in choice.body for name in one.names}
    modules = {name for name, home in typed.items() if home == "tokumei"}
    assert typed.keys() - modules == {*found.__all__} - {"__version__"}
    for name in typed.keys() - modules:
        assert getattr(found, name) is getattr(import_module(typed[name]), name), name


@pytest.mark.parametrize("module", EARLIER_NAMES)
def test_every_earlier_name_works_and_a_renamed_one_warns(module):
    """The changelog has a line for each renamed one: `| `old` | `new` |`."""
    changelog = (SOURCE.parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
    public = import_module(module)
    for name in EARLIER_NAMES[module].split():
        if name in public.__all__:
            assert getattr(public, name).__doc__, name
            continue
        with pytest.warns(DeprecationWarning, match="is now") as warned:
            value = getattr(public, name)
        assert warned[0].filename == __file__
        old, new = re.match(r"(\S+) is now (\S+); the old name", str(warned[0].message)).groups()
        assert old == f"{module}.{name}"
        home, _, new_name = new.rpartition(".")
        assert value is getattr(import_module(home), new_name)
        assert new_name in import_module(home).__all__
        assert f"| `{old}` | `{new}` |" in changelog


def test_public_modules_need_no_import_of_their_own():
    inside = [name.removeprefix("tokumei.") for name in PUBLIC_MODULES if "." in name]
    assert len(inside) == len(PUBLIC_MODULES) - 1
    script = f"import tokumei as tk\nfor name in {inside}: assert getattr(tk, name).__all__\n"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.long
def test_functions_are_not_hidden_by_modules():
    """Importing every sub-package must leave the names of the public modules what they are."""
    script = (
        "import pkgutil, importlib, types, tokumei as tk\n"
        "for m in pkgutil.walk_packages(tk.__path__, 'tokumei.'):\n"
        "    if '-' not in m.name:  # compiled kernels are loaded by their door alone\n"
        "        importlib.import_module(m.name)\n"
        f"for name in {PUBLIC_MODULES}:\n"
        "    found = importlib.import_module(name)\n"
        "    for one in found.__all__:\n"
        "        assert not isinstance(getattr(found, one), types.ModuleType), (name, one)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_typed_consumer_calls_every_function_rightly_and_wrongly():
    """`mypy` checks that program strictly: a wrong call that it accepted would fail there."""
    lines = Path(__file__).with_name("typing").joinpath("consumer.py").read_text().splitlines()
    wrong = [line for line in lines if "# type: ignore[" in line]
    right = [line for line in lines if line not in wrong]
    for name in tk.__all__:
        if isinstance(getattr(tk, name), FunctionType):
            call = re.compile(rf"\btk\.{name}\(")
            assert any(map(call.search, right)), name
            assert any(map(call.search, wrong)), name


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(tk, "anonymise")
    assert not hasattr(tk.tables, "anonymise")


def loaded_by(statement):
    """The modules that are there after a statement, in a new process."""
    script = f"import sys\n{statement}\nprint(*sys.modules, file=sys.stderr)\n"
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return {name.partition(".")[0] for name in ran.stderr.split()}


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_importing_loads_no_heavy_library(module):
    heavy = {"numpy", "polars", "scipy", "pydantic", "narwhals", "pyspark", "fastapi"}
    assert not loaded_by(f"import {module}") & heavy


@pytest.mark.parametrize("args", [["--help"], ["--lang", "ja", "--help"], ["--version"], []])
def test_the_help_loads_no_heavy_library(args):
    statement = (
        "from tokumei.apps.cli.app import main\n"
        f"try: main({args})\n"
        "except SystemExit as end: assert end.code in (0, 2), end.code"
    )
    assert not loaded_by(statement) & {"numpy", "polars", "scipy", "altair", "pydantic"}


def test_a_page_needs_something_found():
    with pytest.raises(tk.UsageError, match="there is no page about a dict"):
        tk.render({})

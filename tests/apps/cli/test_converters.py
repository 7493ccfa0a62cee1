"""Text becomes a value of the option's type, or an error in both languages."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import pytest

from tokumei.apps.cli.converters import argument_type, convert_text, convert_value
from tokumei.apps.cli.dispatch import OptionSpec
from tokumei.core.command import option
from tokumei.core.errors import UnknownNameError, UsageError


@dataclass
class Fields:
    whole: int = option("", default=1, least=1, most=8)
    share: float = option("", default=0.5, least=0)


WHOLE, SHARE = (
    OptionSpec(f"--{one.name}", kind, field=one)
    for one, kind in zip(fields(Fields), (int, float), strict=True)
)


def test_numbers_are_read() -> None:
    assert convert_text("7", WHOLE) == 7
    assert convert_text("1e-3", SHARE) == 0.001


@pytest.mark.parametrize(
    ("text", "spec", "en", "ja"),
    [
        ("x", WHOLE, "--whole: a whole number is needed", "整数を指定してください"),
        ("1.5", WHOLE, "--whole: a whole number is needed", "整数を指定してください"),
        ("0", WHOLE, "--whole: it must be at least 1", "1 以上にしてください"),
        ("9" * 400, WHOLE, "--whole: it must be at most 8", "8 以下にしてください"),
        ("", SHARE, "--share: a number is needed", "数値を指定してください"),
        ("-1", SHARE, "--share: it must be at least 0", "0 以上にしてください"),
    ],
)
def test_what_is_no_such_number_is_told(text: str, spec: OptionSpec, en: str, ja: str) -> None:
    with pytest.raises(UsageError) as wrong:
        convert_text(text, spec)
    assert wrong.value.message.show("en") == en
    assert ja in wrong.value.message.show("ja")


def test_a_choice_is_one_of_its_names() -> None:
    choice = OptionSpec("--engine", Literal["local", "spark"])
    assert convert_text("spark", choice) == "spark"
    with pytest.raises(UnknownNameError) as wrong:
        convert_text("sparc", choice)
    assert wrong.value.nearest == "spark"


def test_paths_are_paths() -> None:
    assert (argument_type(Path | None), argument_type(list[Path])) == (str, list[str])
    assert convert_value("a/b", Path | None, "--out") == Path("a/b")
    assert convert_value(["a", "b"], list[Path], "FILES") == [Path("a"), Path("b")]


def test_a_table_is_released_without_pydantic(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("age,sex\n" + "30,f\n40,m\n" * 4)
    args = f"anonymize table --data {tmp_path}/x.csv --qi age,sex --k 2 --out {tmp_path}/y.csv"
    told = "atexit.register(lambda: print('pydantic' in sys.modules, file=sys.stderr))"
    code = f"import atexit, sys; {told}; from tokumei.apps.cli.app import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, *args.split(), "--method", "mondrian"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stderr.split()[-1:] == ["False"]

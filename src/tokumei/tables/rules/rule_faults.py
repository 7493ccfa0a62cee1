"""The faults of a rules file."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error

RULE = "recommendation-rules"


def rule_fault(line: int, message: Text, *, attribute: str | None = None) -> Fault:
    """A fault on a line of the file."""
    return Fault(
        rule=RULE,
        line=line,
        column=attribute,
        message=Text(f"line {line}: {message.en}", f"{line} 行目: {message.ja}"),
    )


def unusable(where: AnyPath, faults: Sequence[Fault]) -> InputError:
    """The error that lists them, by line."""
    ordered = sorted(faults, key=lambda fault: fault.line or 0)
    return input_error(where, Text("the rules cannot be used", "規則が使えません"), faults=ordered)

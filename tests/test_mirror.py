"""Whoever changes a module finds its tests by its path."""

from __future__ import annotations

import pytest

from mirror import PACKAGE, TESTS, has_logic, mirrored_test, missing_tests, modules_with_logic

SHARE_REACHED = 0.80
"""The share of modules with tests at the mirrored path; it may only rise."""


def test_modules_have_their_tests_at_the_mirrored_path() -> None:
    modules, missing = modules_with_logic(), missing_tests()
    share = 1 - len(missing) / len(modules)
    print(f"{len(modules) - len(missing)} of {len(modules)} modules ({share:.1%})")
    assert share >= SHARE_REACHED, [path.relative_to(PACKAGE).as_posix() for path in missing]


def test_the_tests_of_a_module_have_its_path() -> None:
    assert mirrored_test(PACKAGE / "core" / "_clock.py") == TESTS / "core" / "test_clock.py"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("LIMIT = 3", False),
        ("class Shape(Protocol):\n    def area(self) -> float:\n        return 0.0", False),
        ('class Shape:\n    def area(self):\n        """The area."""\n        ...', False),
        ("class Shape:\n    def area(self):\n        return 1.0", True),
        ("async def answer():\n    return 42", True),
    ],
)
def test_logic_is_told_from_constants_and_protocols(source: str, expected: bool) -> None:
    assert has_logic(source) is expected

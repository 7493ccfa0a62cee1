"""Every registered class, held against the type that its registry stands for.

    python tests/core/registered_classes.py >program.py && mypy program.py    # as `make lint` does

A method that lacks a word, a parameter or a function that its kind asks for is an error there. The
program that is printed adds each class to its registry once more; it is not meant to run.
"""

from __future__ import annotations

from tokumei.kinds import all_kinds


def program() -> str:
    """Lines that only a type checker reads."""
    lines = []
    for kind in all_kinds():
        home = f"{kind.home}.registry"
        lines.append(f"import {home}")
        for part, registry in kind.registries.items():
            for name in registry.names():
                found = registry.get(name)
                lines.append(f"import {found.__module__}")
                place = f"{found.__module__}.{found.__qualname__}"
                lines.append(f"{home}.{part}.add({name!r}, {place})")
    return "\n".join(lines)


if __name__ == "__main__":
    print(program())

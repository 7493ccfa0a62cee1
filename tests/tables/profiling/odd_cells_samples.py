"""What the tests split from test_odd_cells share."""

from __future__ import annotations

from pathlib import Path
from random import Random

ROLES = ["--qi", "age,town", "--sa", "income"]


def people(path: Path) -> str:
    draw = Random(1)
    lines = list[str]()
    for i in range(120):
        age = "forty" if i == 7 else draw.randint(20, 60)
        pay = "n.n." if i == 9 else draw.randint(100, 900)
        lines.append(f"{age},{draw.choice('AB')}x,{pay}")
    path.write_text("\n".join(["age,town,income", *lines]) + "\n", encoding="utf-8")
    return str(path)

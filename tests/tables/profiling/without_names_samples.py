"""What the tests split from test_without_names share."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from random import Random


def log(path: Path) -> list[str]:
    """An access log; the users in it."""
    draw, moment = Random(5), datetime(2024, 2, 1, 8)
    users = [f"{a}{b}{draw.randint(1, 99)}" for a in "hjkm" for b in ("reed", "baker", "ortiz")]
    lines = []
    for _ in range(300):
        user = draw.choice(users)
        moment += timedelta(seconds=draw.randint(1, 90))
        ip = f"10.{users.index(user)}.7.{len(user)}"
        said = moment.strftime("%d/%b/%Y:%H:%M:%S +0100")
        lines.append(f"{ip}\t{user}\t{said}\tGET\t/u/{user}/home\t200\t{draw.randint(99, 9999)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return users

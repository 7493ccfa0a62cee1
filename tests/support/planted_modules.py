"""Files in the current folder that are named like packages of the project's processes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.system_users import SystemUser

NAMES = ("fastapi", "numpy", "polars", "pyarrow", "pydantic", "sqlalchemy", "uvicorn", "yaml")
MARK = "a planted module was run"


def plant_modules(user: SystemUser) -> None:
    """Put them into somebody's folder, and show that a careless Python runs them."""
    code = f"open({str(user.folder / MARK)!r}, 'a').write(__name__ + ' ')\n"
    for name in NAMES:
        path = user.folder / f"{name}.py"
        path.write_text(code, encoding="utf-8")
        path.chmod(0o644)
    subprocess.run(["python", "-c", f"import {', '.join(NAMES)}"], **user.process(), check=True)
    mark = user.folder / MARK
    assert mark.read_text(encoding="utf-8").split() == list(NAMES)
    mark.unlink()


def run_modules(folder: Path) -> list[str]:
    """The names of those that ran since then."""
    mark = folder / MARK
    return mark.read_text(encoding="utf-8").split() if mark.exists() else []

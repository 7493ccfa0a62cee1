"""What the tests split from test_papers share."""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]


FIGURES = ROOT / "src" / "tokumei" / "apps" / "papers" / "figures"


def entries(number):
    """The names of all tables, figures and facts in a paper's file, read by themselves."""
    data = yaml.safe_load((FIGURES / f"{number}.yaml").read_text(encoding="utf-8"))
    parts = [data.get(part, []) for part in ("tables", "figures", "facts")]
    return [*(["data"] if "data" in data else []), *(one["id"] for part in parts for one in part)]

"""Made-up data to begin with: written by the command `tokumei sample`, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tokumei.core.text import Text
from tokumei.http.refusals import Broken


@dataclass(frozen=True)
class Sample:
    """One sample: its file, its words, and what `tokumei sample` is asked for."""

    file: str
    title: Text
    about: Text
    asked: tuple[str, ...]


SAMPLES = {
    "customers": Sample(
        "customers.csv",
        Text("A customer list", "顧客リスト (英語)"),
        Text(
            "400 people: names, telephone numbers, ages, a title line",
            "400 人。氏名、電話番号、年齢、表題の行",
        ),
        ("table", "--messy", "en", "--rows", "400", "--seed", "1"),
    ),
    "customers-ja": Sample(
        "顧客台帳.csv",
        Text("A customer list in Japanese", "顧客台帳"),
        Text(
            "400 people: names, Japanese eras, postal codes, a total line",
            "400 人。氏名、和暦、郵便番号、合計の行",
        ),
        ("table", "--messy", "ja", "--rows", "400", "--seed", "1"),
    ),
    "households": Sample(
        "households.csv",
        Text("Household spending", "家計調査"),
        Text("3,000 households: 13 attributes, 12 amounts", "3,000 世帯。属性 13、支出 12"),
        ("table", "--rows", "3000", "--seed", "1"),
    ),
    "purchases": Sample(
        "purchases.csv",
        Text("A purchase history", "購買履歴"),
        Text("200 customers, 4,000 purchases", "顧客 200 人、購買 4,000 件"),
        ("history", "--format", "table", "--rows", "4000", "--customers", "200", "--seed", "1"),
    ),
}
SECONDS = 60


def write_sample(name: str, place: Path) -> None:
    """Write a sample's file."""
    named = place.with_name(f"{place.name}.csv")
    command = [sys.executable, "-P", "-m", "tokumei", "sample", *SAMPLES[name].asked]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [*command, "--out", str(named)], capture_output=True, timeout=SECONDS, env=env, check=False
    )
    if done.returncode:
        raise Broken
    named.rename(place)

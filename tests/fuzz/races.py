"""Sets of files that are overwritten by two processes at once, or killed in the middle of it.

    python -m fuzz.races --races 200 --kills 200        # from tests/

Afterwards rows, manifest and link are of one release, or there are no rows.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
from multiprocessing.synchronize import Barrier
from pathlib import Path

import polars as pl

from tokumei.core.errors import TokumeiError
from tokumei.files.atomic_write import write_all
from tokumei.files.rows_digest import require_rows_of_manifest
from tokumei.files.writing import bytes_output, frame_output, text_output

ROWS = 2_000
OVERWRITE = "from fuzz.races import overwrite_forever; overwrite_forever(__import__('sys').argv[1])"


def write_generation(folder: Path, generation: int) -> None:
    """Rows, manifest and link of one release."""
    rows = pl.DataFrame({"generation": [generation] * ROWS})
    public = folder / "y.csv"
    link = bytes_output(str(generation).encode(), folder / "link.csv", secret=True)
    manifest = text_output(json.dumps({"generation": generation}), f"{public}.manifest.json")
    write_all([frame_output(rows, public), manifest, link])


def mixed(folder: Path) -> str:
    """What does not belong together; empty: all is of one release, or there are no rows."""
    public = folder / "y.csv"
    if not public.exists():
        return ""
    try:
        require_rows_of_manifest(public)
    except TokumeiError as err:
        return str(err)
    rows = pl.read_csv(public)["generation"].unique().to_list()
    manifest = json.loads(Path(f"{public}.manifest.json").read_text())["generation"]
    link = int((folder / "link.csv").read_text())
    return "" if rows == [manifest] == [link] else f"{rows}, {manifest}, {link}"


def overwrite_forever(folder: str) -> None:
    """Write one release after the other, until somebody kills this."""
    generation = 0
    while True:
        write_generation(Path(folder), generation := generation + 1)


def try_kills(number: int, *, seed: int = 0) -> list[str]:
    """Kill a process while it overwrites, so many times; what was mixed."""
    rng, faults = random.Random(seed), list[str]()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for _ in range(number):
            process = subprocess.Popen([sys.executable, "-c", OVERWRITE, temporary])
            while not (folder / "y.csv").exists() and process.poll() is None:
                os.sched_yield()
            for _ in range(rng.randrange(2_000)):  # a moment, longer the busier the machine is
                folder.stat()
            process.kill()
            process.wait()
            faults += [fault for fault in [mixed(folder)] if fault]
            for path in folder.iterdir():
                path.unlink()
    return faults


def _race(folder: str, first: int, number: int, together: Barrier) -> None:
    for turn in range(number):
        together.wait()
        write_generation(Path(folder), first + turn)
        together.wait()


def try_races(number: int) -> list[str]:
    """Let two processes write the same files at once, so many times; what was mixed."""
    context, faults = multiprocessing.get_context("spawn"), list[str]()
    together = context.Barrier(3)
    with tempfile.TemporaryDirectory() as temporary:
        racers = [
            context.Process(target=_race, args=(temporary, first, number, together))
            for first in (1_000_000, 2_000_000)
        ]
        for racer in racers:
            racer.start()
        for _ in range(number):
            together.wait()
            together.wait()
            faults += [fault for fault in [mixed(Path(temporary))] if fault]
        for racer in racers:
            racer.join()
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz.races")
    parser.add_argument("--races", type=int, default=200)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    races, kills = try_races(given.races), try_kills(given.kills, seed=given.seed)
    print(f"{given.races} races, {len(races)} mixed; {given.kills} kills, {len(kills)} mixed")
    for fault in sorted({*races, *kills}):
        print(f"  {fault}")
    return int(bool(races or kills))


if __name__ == "__main__":
    sys.exit(main())

"""Pages of a studio while a job works on a large table: `python -m bench.studio [ROWS] [SECONDS]`.

A million rows of nine columns are given to `tokumei studio`; while candidates are made, its pages
are asked for again and again. Prints how long answers took (median and worst), the processor time
of the server per answer, when the first candidate was there in units of one `anonymize`, and the
memory of the job in the same units.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import polars as pl

KNOWN = ("age", "sex", "zip", "marital", "children", "occupation")
PAGES = ("look", "purpose", "candidates")
_TICKS = os.sysconf("SC_CLK_TCK")


def people(rows: int, path: Path) -> None:
    """Nine columns that look like people."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "sex": rng.choice(["F", "M"], rows),
            "zip": [f"{n:03d}-{n % 97:04d}" for n in rng.integers(0, 900, rows)],
            "marital": rng.choice(["single", "married", "divorced", "widowed"], rows),
            "children": rng.integers(0, 5, rows),
            "occupation": rng.choice([f"job {n}" for n in range(14)], rows),
            "income": rng.lognormal(8, 0.6, rows).round(-1).astype(int),
            "visits": rng.poisson(4, rows),
            "diagnosis": rng.choice([f"D{n}" for n in range(30)], rows),
        }
    )
    frame.write_csv(path)


def anonymized(data: Path, folder: Path) -> tuple[float, float]:
    """CPU seconds and peak MB of one `tokumei anonymize`."""
    command = [sys.executable, "-m", "tokumei", "anonymize", "table", "--data", str(data)]
    command += ["--qi", "age,sex,zip,marital,children,occupation", "--sa", "income,visits"]
    command += ["--id", "diagnosis", "--k", "5", "--out", str(folder / "y.csv")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, after.ru_maxrss / 1024


class Studio:
    """A studio that was started by its command."""

    def __init__(self, home: Path, seconds: float) -> None:
        command = [sys.executable, "-m", "tokumei", "studio", "--home", str(home), "--json"]
        command += ["--no-browser", "--seconds", str(seconds)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        told = ""
        for line in self.process.stdout:
            told += line
            if line.startswith("}"):
                break
        address = json.loads(told)["address"]
        self.base = address.partition("/enter")[0]
        origin = "/".join(address.split("/")[:3])
        self.client = httpx.Client(headers={"origin": origin}, timeout=600)
        self.client.get(address)

    def ask(self, path: str) -> float:
        """Seconds until a page was there."""
        begun = time.perf_counter()
        self.client.get(f"{self.base}{path}").raise_for_status()
        return time.perf_counter() - begun

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.client.post(f"{self.base}{path}", **more)

    def cpu(self) -> float:
        """CPU seconds of the server itself."""
        return cpu_of(self.process.pid)

    def children(self) -> Iterator[int]:
        place = Path(f"/proc/{self.process.pid}/task")
        for task in place.iterdir():
            yield from map(int, (task / "children").read_text().split())


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def peak_of(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def main(rows: int = 1_000_000, seconds: float = 60.0) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "people.csv"
        people(rows, data)
        once, memory = anonymized(data, folder)
        studio = Studio(folder / "home", seconds)
        try:
            print(json.dumps(measured(studio, data, once, memory), indent=2))
        finally:
            studio.process.terminate()
            studio.process.wait()


def measured(studio: Studio, data: Path, once: float, memory: float) -> dict[str, Any]:
    with data.open("rb") as stream:
        place = studio.post("/upload?name=people.csv", content=stream).headers["location"]
    project = f"/p/{place.split('/p/')[1].split('/')[0]}"
    _waited(studio, project, "look")
    studio.post(f"{project}/purpose", data={"recipient": "partner", "known": list(KNOWN)})
    answers, cpu = list[float](), studio.cpu()
    first, peak, spent = 0.0, 0.0, 0.0
    while _running(studio, project, "advise"):
        answers += [studio.ask(f"{project}/{page}") for page in PAGES]
        for child in list(studio.children()):
            try:
                peak, spent = max(peak, peak_of(child)), max(spent, cpu_of(child))
            except (FileNotFoundError, ProcessLookupError):
                continue
        if (
            not first
            and "data-point" in studio.client.get(f"{studio.base}{project}/candidates").text
        ):
            first = spent
        time.sleep(0.2)
    return {
        "answers": len(answers),
        "median_ms": round(1000 * float(np.median(answers)), 1),
        "worst_ms": round(1000 * max(answers), 1),
        "server_cpu_ms_per_answer": round(1000 * (studio.cpu() - cpu) / max(len(answers), 1), 1),
        "anonymize_cpu_s": round(once, 2),
        "first_candidate_by_anonymize": round(first / once, 2),
        "job_memory_by_anonymize": round(peak / memory, 2),
        "load": os.getloadavg()[0],
    }


def _running(studio: Studio, project: str, what: str) -> bool:
    with studio.client.stream("GET", f"{studio.base}{project}/events") as told:
        for line in told.iter_lines():
            if line.startswith("data:"):
                jobs = {job["what"]: job["state"] for job in json.loads(line[5:])["jobs"]}
                return jobs.get(what) == "running"
    return False


def _waited(studio: Studio, project: str, what: str) -> None:
    while _running(studio, project, what):
        time.sleep(0.5)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 1_000_000, float(given[1]) if given[1:] else 60.0)

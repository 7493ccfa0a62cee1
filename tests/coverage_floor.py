"""Fails if less than 90 % of the lines of a core room are covered by the tests."""

import json
import sys
from collections import defaultdict
from pathlib import Path

ROOMS = ("core", "files", "tables", "histories", "pseudonyms")
FLOOR = 90.0


def room_coverage(report: dict) -> dict[str, float]:
    """Percentage of covered lines per room."""
    lines: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, file in report["files"].items():
        room = Path(name).as_posix().split("src/tokumei/")[-1].split("/")[0]
        lines[room][0] += file["summary"]["covered_lines"]
        lines[room][1] += file["summary"]["num_statements"]
    return {room: 100.0 * covered / max(total, 1) for room, (covered, total) in lines.items()}


def main(path: str) -> int:
    """Print the rooms' coverage; 1 if one is below the floor."""
    found = room_coverage(json.loads(Path(path).read_text()))
    for room in ROOMS:
        print(f"{room}: {found.get(room, 0.0):.1f} % of lines covered")
    return int(any(found.get(room, 0.0) < FLOOR for room in ROOMS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

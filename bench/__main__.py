"""Run all benchmarks: `make bench`."""

from __future__ import annotations

import os
from importlib.metadata import version

from bench import (
    assessment,
    attacks,
    audit,
    audit_calibration,
    audit_page,
    audit_releases,
    files,
    histories,
    price,
    price_service,
    pseudonyms,
    recoding,
    shapes,
)
from bench.harness import as_markdown, write_results


def main() -> None:
    found = [*attacks.results(), *files.results(), *histories.results(), *recoding.results()]
    found += [*shapes.results(), *audit.results(), *assessment.results()]
    found += [*pseudonyms.results(), *price.results(), *price_service.results()]
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "polars"))
    text = (
        "# Benchmark results\n\n"
        "Made by `make bench`. Ratios are ours / floor within one run; seconds depend on the\n"
        f"machine. {os.cpu_count()} cores, {versions}.\n\n" + as_markdown(found)
    )
    print(text)
    write_results(text)
    if (audit_releases.folder() / "adult").exists():
        audit_page.main([])
    audit_calibration.show()


if __name__ == "__main__":
    main()

"""Compile the kernels while the package is built, with `cc` or else the package `ziglang`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path(__file__).parent / "src"
sys.path.insert(0, str(SOURCE))

from tokumei.kernels.build import build, has_compiler  # noqa: E402


class KernelHook(BuildHookInterface[Any]):
    """A wheel for this Python and machine, with the compiled kernels in it."""

    def dependencies(self) -> list[str]:
        """A compiler, where the system has none."""
        return [] if has_compiler() else ["ziglang"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what is missing, beside its source."""
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [f"/{path.relative_to(self.root)}" for path in build()]

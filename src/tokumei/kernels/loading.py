"""Loads the compiled kernels: `load("local_recoding")` has the functions of all its sources.

They are compiled when the package is installed (`setup.py`). A compiled module carries the digest
of its sources, so that none is used that is older than they are. `TOKUMEI_KERNELS=uncompiled` runs
the sources themselves as Python, for pdb and coverage; `TOKUMEI_KERNELS=checked` the build that
checks every index.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import FunctionType, ModuleType, SimpleNamespace
from typing import TypeAlias

KERNELS_FOLDER = Path(__file__).parent
LOCAL_RECODING_SOURCES = (
    "__init__",
    "state",
    "coverage",
    "tuple_exchange",
    "slot_repair",
    "annealing_moves",
    "level_vectors",
)
EQUIVALENCE_CLASS_SOURCES = (
    "conditions",
    "merging",
    "mondrian_cuts",
    "rule_targeting",
    "hierarchical_splits",
)
HISTORY_ALIGNMENT_SOURCES = (
    "workspace",
    "assignment",
    "group_cost",
    "row_alignment",
    "customer_exchange",
    "pair_estimates",
    "initial_clusters",
    "exchange_prediction",
)
MATCH_LIKELIHOOD_SOURCES = ("__init__", "weights", "bin_counts", "gains")
KERNEL_SOURCES = {
    "local_recoding": [f"local_recoding/{part}" for part in LOCAL_RECODING_SOURCES],
    "history_alignment": [
        "mersenne_twister",
        *(f"history_alignment/{part}" for part in HISTORY_ALIGNMENT_SOURCES),
    ],
    "equivalence_classes": [
        "sorting",
        *(f"equivalence_classes/{part}" for part in EQUIVALENCE_CLASS_SOURCES),
    ],
    "match_likelihood": [f"match_likelihood/{part}" for part in MATCH_LIKELIHOOD_SOURCES],
    "nearest": ["nearest/neighbour_search", "nearest/copy_likelihood"],
    "lattice": ["lattice/grouping"],
    "unicity": ["unicity/singling_out"],
}
"""The sources of every module, in order: a name must be defined before it is used.

Of a door (`__init__`) only the arrays it describes are compiled: its named tuples.
"""
_LOAD_LOCK = Lock()
Kernel: TypeAlias = ModuleType | SimpleNamespace
"""The functions and records of a kernel: a compiled module, or its sources run by Python."""


def load(name: str) -> Kernel:
    """The module, compiled or as the environment says."""
    with _LOAD_LOCK:
        return _load_module(name, os.environ.get("TOKUMEI_KERNELS", "compiled"))


@cache
def _load_module(name: str, mode: str) -> Kernel:
    if mode == "uncompiled":
        return load_uncompiled(name)
    try:
        module = import_module(compiled_module(name, mode == "checked"))
        reason = "its source was changed"
    except ImportError as error:
        module, reason = None, str(error)
    if module is None or digest_sources(name) != module.SOURCES_DIGEST:
        from tokumei.core.errors import UsageError

        raise UsageError(
            "the kernel '{name}' is not compiled as its source is now: install the package again "
            "(`pip install .`, in a checkout `make kernels`); {reason}",
            name=name,
            reason=reason,
        )
    return module


def load_uncompiled(name: str) -> SimpleNamespace:
    """The sources as they are, run by Python: slow, and what the compiled module must equal."""
    import numpy as np

    namespace: dict[str, object] = {}
    for path in source_files(name):
        parts = path.relative_to(KERNELS_FOLDER).with_suffix("").parts
        module = ".".join(["tokumei.kernels", *parts]).removesuffix(".__init__")
        namespace |= vars(import_module(module))
    wrapping = np.errstate(over="ignore", divide="ignore", invalid="ignore")
    return SimpleNamespace(
        **{
            name: wrapping(value) if isinstance(value, FunctionType) else value
            for name, value in namespace.items()
        }
    )


def source_files(name: str) -> list[Path]:
    """The files that a module is compiled from."""
    return [KERNELS_FOLDER / f"{part}.py" for part in KERNEL_SOURCES[name]]


def compiled_module(name: str, checked: bool = False) -> str:
    """The name of the compiled module."""
    return f"tokumei.kernels._{name}{'_checked' if checked else ''}"


def digest_sources(name: str) -> str:
    """A digest of the sources as they are now."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in source_files(name))).hexdigest()

"""Load the compiled kernels: `load("local")` has the functions of all sources of local recoding.

A compiled module carries the digest of its sources in its file's name, so that none can be older
than they are. In a checkout a missing one is compiled when it is first needed; an installed package
has all of them. `TOKUMEI_KERNELS=uncompiled` runs the sources themselves as Python, for pdb and
coverage; `TOKUMEI_KERNELS=checked` the build that checks every index.
"""

from __future__ import annotations

import hashlib
import os
import sysconfig
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import FunctionType, SimpleNamespace
from typing import Any

FOLDER = Path(__file__).parent
LOCAL = ("__init__", "state", "cover", "exchange", "repair", "moves", "order")
CLASSES = ("holding", "merging", "cutting", "targeting", "splitting")
ALIGNED = (*("room", "assignment", "cost", "rows", "exchange", "estimates"), *("seats", "outlook"))
EVIDENCE = ("__init__", "weights", "bins", "gains")
SOURCES = {
    "local": [f"local/{part}" for part in LOCAL],
    "aligned": ["mersenne", *(f"aligned/{part}" for part in ALIGNED)],
    "classes": ["sorting", *(f"classes/{part}" for part in CLASSES)],
    "evidence": [f"evidence/{part}" for part in EVIDENCE],
    "near": ["near/search", "near/copies"],
    "lattice": ["lattice/grouping"],
    "unicity": ["unicity/singling"],
}
"""The sources of every module, in order: a name must be defined before it is used.

Of a door (`__init__`) only the arrays it describes are compiled: its named tuples.
"""
_LOADING = Lock()


def load(name: str) -> Any:
    """The module, compiled or as the environment says."""
    with _LOADING:
        return _load(name, os.environ.get("TOKUMEI_KERNELS", "compiled"))


@cache
def _load(name: str, how: str) -> Any:
    if how == "uncompiled":
        return uncompiled(name)
    checked = how == "checked"
    path = file_of(name, checked)
    if not path.exists():
        _build(name, checked)
    spec = spec_from_file_location(f"tokumei.kernels._{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def uncompiled(name: str) -> Any:
    """The sources as they are, run by Python: slow, and what the compiled module must equal."""
    import numpy as np

    found: dict[str, Any] = {}
    for path in sources_of(name):
        parts = path.relative_to(FOLDER).with_suffix("").parts
        module = ".".join(["tokumei.kernels", *parts]).removesuffix(".__init__")
        found |= vars(import_module(module))
    wrapping = np.errstate(over="ignore", divide="ignore", invalid="ignore")
    return SimpleNamespace(
        **{
            name: wrapping(value) if isinstance(value, FunctionType) else value
            for name, value in found.items()
        }
    )


def sources_of(name: str) -> list[Path]:
    """The files that a module is compiled from."""
    return [FOLDER / f"{part}.py" for part in SOURCES[name]]


def file_of(name: str, checked: bool = False, digest: str = "") -> Path:
    """Where the compiled module of the sources as they are now is, or would be."""
    kind = "-checked" if checked else ""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return FOLDER / f"_{name}{kind}-{digest or _digest(name)}{suffix}"


def _digest(name: str) -> str:
    digest = hashlib.sha256()
    for path in [FOLDER / "build.py", *sources_of(name)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _build(name: str, checked: bool) -> None:
    """Compile a module in place, which takes seconds; say how if that is not possible here."""
    try:
        from tokumei.kernels.build import build

        build([name], checked=checked)
    except (ImportError, OSError) as reason:
        raise ImportError(
            f"the kernel '{name}' is not compiled, or its source was changed: install the package"
            f" again (`pip install .`, in a checkout `make kernels`); {reason}"
        ) from reason

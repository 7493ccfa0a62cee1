"""Limits memory and time of a child process before it reads untrusted files.

    limit_process(megabytes=4096, cpu_seconds=300, file_megabytes=256)

Limits are per process, and nobody takes them back. They are no prison for foreign code. Where the
system has none (Windows), a process goes on without them.
"""

from __future__ import annotations

from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_GRACE_SECONDS = 5
_LOW_MEMORY_BYTES = 64 << 20
_ADDRESS_SPACE_FIELD, _DATA_SIZE_FIELD = 0, 5
"""Fields of /proc/self/statm: all addresses, and those of data alone."""


def limit_process(
    *, megabytes: int, cpu_seconds: int, file_megabytes: int, data_only: bool = False
) -> None:
    """Limits beyond what this process has already: loaded modules take a lot of addresses.

    `data_only` counts what can be written, not what is only reserved: the engine that draws charts
    reserves far more addresses than any machine has memory.
    """
    if resource is None:
        return
    memory_limit, field = (
        (resource.RLIMIT_DATA, _DATA_SIZE_FIELD)
        if data_only
        else (resource.RLIMIT_AS, _ADDRESS_SPACE_FIELD)
    )
    memory, size = _used_bytes(field) + (megabytes << 20), file_megabytes << 20
    resource.setrlimit(memory_limit, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + _GRACE_SECONDS))


def limit_address_space(megabytes: int) -> None:
    """Limit all addresses of this process."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def raise_open_file_limit() -> None:
    """Let this process open as many files as the system allows it."""
    if resource is not None:
        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def open_file_limit() -> int | None:
    """How many files this process may open; None if there is no limit."""
    if resource is None:
        return None
    soft_limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft_limit == resource.RLIM_INFINITY else soft_limit


def is_memory_short() -> bool:
    """Whether hardly anything is left of the memory that this process may use."""
    if resource is None:
        return False
    for limit_kind, field in (
        (resource.RLIMIT_AS, _ADDRESS_SPACE_FIELD),
        (resource.RLIMIT_DATA, _DATA_SIZE_FIELD),
    ):
        limit, _ = resource.getrlimit(limit_kind)
        if limit != resource.RLIM_INFINITY and _used_bytes(field) > limit - _LOW_MEMORY_BYTES:
            return True
    return False


def _used_bytes(field: int) -> int:
    """Bytes in use, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[field])
    except FileNotFoundError:
        return 0
    return pages * resource.getpagesize()

"""What a child process may use at most; set by itself, before it reads a file of others.

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
_LITTLE = 64 << 20
_ADDRESSES, _DATA = 0, 5
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
    what, field = (resource.RLIMIT_DATA, _DATA) if data_only else (resource.RLIMIT_AS, _ADDRESSES)
    memory, size = _used(field) + (megabytes << 20), file_megabytes << 20
    resource.setrlimit(what, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + _GRACE_SECONDS))


def limit_addresses(megabytes: int) -> None:
    """Limit all addresses of this process."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def allow_all_files() -> None:
    """Let this process open as many files as the system allows it."""
    if resource is not None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_files() -> int | None:
    """How many files this process may open; None if there is no limit."""
    if resource is None:
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if most == resource.RLIM_INFINITY else most


def memory_is_short() -> bool:
    """Whether hardly anything is left of the memory that this process may use."""
    if resource is None:
        return False
    for what, field in ((resource.RLIMIT_AS, _ADDRESSES), (resource.RLIMIT_DATA, _DATA)):
        limit, _ = resource.getrlimit(what)
        if limit != resource.RLIM_INFINITY and _used(field) > limit - _LITTLE:
            return True
    return False


def _used(field: int) -> int:
    """Bytes in use, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[field])
    except FileNotFoundError:
        return 0
    return pages * resource.getpagesize()

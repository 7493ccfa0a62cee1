"""Public names for contests.

A contest is a file (`spec`); what an upload is worth is a pure function (`judge`). Around these two
stand the store, the jobs, what people may do (`desk`), the pages (`web`), the interface for
programs (`api`) and its client, which is what other programs need of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import ContestClient as ContestClient
    from tokumei.apps.contest.client.errors import RemoteRefusal as RemoteRefusal
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)

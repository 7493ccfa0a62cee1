"""Options that several commands on pseudonyms share."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from tokumei.core.ask import option


def master_option(default: Any = MISSING) -> Any:
    """The file of the customers."""
    return option("pws2017: the customers M", "pws2017: 顧客データ M", default=default)

"""What an anonymizer of pseudonyms over time is."""

from __future__ import annotations

from typing import Protocol

from tokumei.core.randomness import Randomness
from tokumei.core.words import Anonymizer
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.release import PeriodRelease


class PeriodAnonymizer(Anonymizer, Protocol):
    """Turns a history into a release under pseudonyms; parameters are dataclass fields."""

    def anonymize(
        self, source: PeriodHistory, *, rng: Randomness, sha256: str | None = None
    ) -> PeriodRelease:
        """Make a release of `source`."""
        ...

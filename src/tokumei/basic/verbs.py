"""The commands of a kind that has none of its own.

    RATINGS = Kind(name="ratings", noun="ratings", …, verbs=VERBS)

Its registries, its layouts and its flow are all they need.
"""

from __future__ import annotations

from tokumei.core.ask import Verb

VERBS = {
    "sample": Verb("tokumei.basic.ask:Sample"),
    "anonymize": Verb("tokumei.basic.ask:Anonymize"),
    "attack": Verb("tokumei.basic.ask:Attack"),
    "check": Verb("tokumei.basic.ask:Check"),
    "measure utility": Verb("tokumei.basic.ask:Measure"),
}

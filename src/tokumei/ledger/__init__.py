"""The release ledger: computes the joint disclosure risk of all releases before the next.

    book = tk.ledger.Ledger("ledger", "ledger.key")
    book.check(coalition=["A", "B"])            # joint k, intersection, linkage, worst pair

k, l and t are claims about one file, and people appear in many. A ledger holds no identifier and
no value: people and values are codes under a key that is kept elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.ledger.contribution import Contribution as Contribution
    from tokumei.ledger.joint_risk import Check as Check
    from tokumei.ledger.ledger import Ledger as Ledger
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)

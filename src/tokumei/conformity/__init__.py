"""Checks a release against each requirement of the law, with evidence for a lawyer.

`tk.conform(ConformityCase(…))` gives a `Conformity` with its findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.conformity.assessment import Conformity as Conformity
    from tokumei.conformity.finding import Finding as Finding
    from tokumei.conformity.finding import Verdict as Verdict
    from tokumei.core.conformity_case import ConformityCase as ConformityCase
    from tokumei.core.conformity_case import Limits as Limits
    from tokumei.core.conformity_case import Roles as Roles
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)

"""Public names for tests and pipelines that must fail when a table stops being anonymous.

    from tokumei.testing import assert_k_anonymous
    assert_k_anonymous(frame, qi=["age", "sex"], k=5, l=2, sa="illness", person="customer")

`tokumei.testing.pytest_plugin` and `tokumei.testing.pre_commit` do the same for files that
`tokumei-checks.yaml` lists; `check_sql` and the dbt package (`dbt_package`) do it in a database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.testing.assertions import NotAnonymousError as NotAnonymousError
    from tokumei.testing.assertions import assert_k_anonymous as assert_k_anonymous
    from tokumei.testing.sql_checks import check_sql as check_sql
    from tokumei.testing.sql_checks import dbt_package as dbt_package
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)

"""What a missing extra says."""

import pytest

from tokumei.apps.cli.printing_command import require_extra
from tokumei.core.errors import UsageError


def test_a_missing_module_names_the_extra_that_brings_it() -> None:
    require_extra("json")
    with pytest.raises(UsageError, match=r'no_such_module: pip install "tokumei\[studio\]"'):
        require_extra("json", "no_such_module", extra="studio")

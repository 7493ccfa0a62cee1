"""What may be said of cells that cannot be read."""

import pytest

from tokumei.core.errors import UsageError
from tokumei.tables.anonymization.column_plan import are_bad_cells_missing


@pytest.mark.parametrize(("option", "expected"), [(None, False), ("", False), ("missing", True)])
def test_bad_cells_are_missing_only_if_somebody_says_so(option: str | None, expected: bool) -> None:
    assert are_bad_cells_missing(option) is expected


def test_any_other_word_is_refused() -> None:
    with pytest.raises(UsageError, match="not 'drop'"):
        are_bad_cells_missing("drop")

"""Tests of tokumei.apps.studio.store.contest_source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.apps.studio.store.contest_source import read_contest_source
from tokumei.core.errors import InputError

pytestmark = pytest.mark.long


def test_a_contest_of_another_kind_is_refused_with_the_formats_that_are_known(
    tmp_path: Path,
) -> None:
    write_sample_contest(tmp_path / "contest", preset="pws2017", rows=300)
    with pytest.raises(InputError, match="formats table, pws2018, not pws2017"):
        read_contest_source(str(tmp_path / "contest"))

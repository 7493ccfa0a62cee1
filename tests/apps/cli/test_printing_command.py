"""Sentences in the language in force, and what a missing extra says."""

import pytest

from tokumei.apps.cli.printing_command import require_extra, translate
from tokumei.core.errors import UsageError
from tokumei.core.messages import use_language


def test_a_sentence_follows_the_language() -> None:
    assert translate("ready", "準備完了") == "ready"
    use_language("ja")
    assert translate("ready", "準備完了") == "準備完了"


def test_a_missing_module_names_the_extra_that_brings_it() -> None:
    require_extra("json")
    with pytest.raises(UsageError, match=r'no_such_module: pip install "tokumei\[studio\]"'):
        require_extra("json", "no_such_module", extra="studio")

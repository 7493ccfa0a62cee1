"""Compiled kernels are used only while they fit their sources."""

from __future__ import annotations

import pytest

from tokumei.core.errors import UsageError
from tokumei.kernels import loading


@pytest.fixture
def unloaded():
    """Modules loaded before are forgotten, before the test and after it."""
    loading._load_module.cache_clear()
    yield
    loading._load_module.cache_clear()


def test_a_module_whose_source_was_changed_is_refused(unloaded, monkeypatch):
    monkeypatch.setattr(loading, "digest_sources", lambda name: "of other sources")
    with pytest.raises(UsageError, match=r"'lattice'.*make kernels.*source was changed"):
        loading.load("lattice")


def test_a_module_that_was_never_compiled_is_named(unloaded, monkeypatch):
    monkeypatch.setattr(loading, "compiled_module", lambda name, checked: "tokumei.kernels._none")
    with pytest.raises(UsageError, match=r"'lattice'.*make kernels.*tokumei.kernels._none"):
        loading.load("lattice")


def test_every_module_is_compiled_from_the_sources_as_they_are(unloaded):
    for name in loading.KERNEL_SOURCES:
        assert loading.digest_sources(name) == loading.load(name).SOURCES_DIGEST

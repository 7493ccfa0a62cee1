"""The language in which every sentence has brackets, and what commands say in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.pseudo_scene import (
    LONG_SCENE,
    Scene,
    in_pseudo_language,
    make_scene,
    shared_folder,
)


@pytest.fixture(scope="module")
def qps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The code of the language, which is there for the tests of a module."""
    with in_pseudo_language(tmp_path_factory) as language:
        yield language


@pytest.fixture(scope="module")
def scene(qps: str, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Commands of every kind and what they wrote."""
    return make_scene(shared_folder(tmp_path_factory, "pseudo-scene"))


@pytest.fixture(scope="module")
def long_scene(scene: Scene) -> Scene:
    """What takes longer, in the same folder."""
    return make_scene(scene.folder, LONG_SCENE)

"""Tests of tokumei.apps.contest.web.pages.targets_archive."""

from __future__ import annotations

import io
import zipfile

from apps.contest.web.scene import ATTACK


def test_all_targets_of_others_come_in_one_zip(scene):
    scene.add_entry("aoi", published=True)
    scene.add_entry("chi", published=True)
    scene.now = ATTACK
    answer = scene.browser("chi").get("/c/cup/targets.zip")
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist()
    assert scene.browser("dan").get("/c/cup/targets.zip").status_code == 403

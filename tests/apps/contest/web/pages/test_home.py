"""Tests of tokumei.apps.contest.web.pages.home."""

from __future__ import annotations

from tokumei.apps.contest.spec.sample_folder import write_sample_contest


def test_an_organiser_opens_a_contest_from_its_files(scene, tmp_path):
    folder = tmp_path / "new"
    write_sample_contest(folder, slug="fresh", rows=200, customers=20)
    browser = scene.browser("org")
    files = [("files", (path.name, path.read_bytes())) for path in folder.iterdir()]
    answer = browser.send("/contests/new", files=files)
    assert answer.headers["location"] == "/c/fresh"
    assert browser.get("/c/fresh").status_code == 200
    again = browser.send("/contests/new", files=files)
    assert again.status_code == 409
    broken = browser.send("/contests/new", files=[("files", ("contest.yaml", b"slug: [1]"))])
    assert broken.status_code == 422
    assert 'id="refusal"' in broken.text

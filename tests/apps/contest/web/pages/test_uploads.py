"""Tests of tokumei.apps.contest.web.pages.uploads."""

from __future__ import annotations

from anyio import from_thread, to_thread

from apps.contest.web.scene import ATTACK, Scene
from tokumei.apps.contest.api.app import PREFIX
from tokumei.apps.contest.jobs.upload_checker import RuleCheckResult
from tokumei.apps.contest.services.authentication import create_token


class Threads:
    """A checker that notes how many threads of pages are taken while it checks."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    def check(self, *_: object, **__: object) -> RuleCheckResult:
        limiter = from_thread.run_sync(to_thread.current_default_thread_limiter)
        self.taken.append(limiter.borrowed_tokens)
        return RuleCheckResult(True, [], 0, "v1")

    def close(self) -> None:
        pass


def test_uploads_wait_for_their_check_in_threads_of_their_own(scene: Scene):
    rules, browser = scene.place.checker, scene.browser("aoi")
    target = scene.add_entry("chi", published=True)
    scene.place.judge_description("cup", "v1")
    scene.place.checker = checker = Threads()
    files = {"file": ("A.csv", b"1,2\n")}
    assert browser.send("/c/cup/submit", files=files, label="").status_code == 303
    token = create_token(scene.place, scene.people["aoi"], "test").token
    headers = {"authorization": f"Bearer {token}"}
    path = PREFIX + "/contests/cup/submissions"
    assert browser.post(path, files=files, headers=headers).status_code == 201
    scene.now = ATTACK
    path = f"/c/cup/targets/{target}"
    assert browser.send(path, files={"file": ("F.zip", b"x")}, label="").status_code == 303
    assert checker.taken == [0, 0, 0]
    scene.place.checker = rules

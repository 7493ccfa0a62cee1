"""What the tests split from test_forms_and_cookies share."""

from __future__ import annotations

from apps.contest.web.scene import Scene
from tokumei.apps.contest.services.accounts import create_account, create_invite

PASSWORD = "correct horse battery"


def registered(scene: Scene, name: str = "Eri") -> None:
    code = create_invite(scene.place, scene.people["org"], "register").code
    create_account(scene.place, name, PASSWORD, invite=code)

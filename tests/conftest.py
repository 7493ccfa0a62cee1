"""What all tests share: the same examples in every run, without a clock."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tokumei.text import use_language

settings.register_profile(
    "tokumei",
    deadline=None,
    derandomize=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tokumei")


@pytest.fixture(autouse=True)
def english():
    """Messages in English, whatever the machine's locale or an earlier test chose."""
    use_language("en")
    yield
    use_language("en")


@pytest.fixture(scope="session")
def real_data():
    """The folder of real data: TOKUMEI_DATA, or shared/data beside the project."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TOKUMEI_DATA", beside))
    if folder.is_dir():
        return folder
    missing("data", "no real data: set TOKUMEI_DATA to its folder")


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium, one for all tests of a process: Playwright allows no second."""
    path = os.environ.get("TOKUMEI_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if path is None or not Path(path).exists():
        missing("chromium", "no Chromium found: install chromium or set TOKUMEI_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def missing(part, reason):
    """Skip with the reason; fail where the part is required (TOKUMEI_REQUIRE, as on CI)."""
    if part in os.environ.get("TOKUMEI_REQUIRE", "").split(","):
        pytest.fail(f"{part} is required here: {reason}")
    pytest.skip(reason)

"""The console's settings and notices, as an organiser uses them."""

from __future__ import annotations

import re

from tokumei.apps.contest.spec.model import FeedbackMode, LeaderboardVisibility


def sent(text: str, **changed: str) -> dict[str, str]:
    """The settings' form as it came, with some fields changed."""
    fields = dict(re.findall(r'<(?:input|select)[^>]* name="([\w-]+)"[^>]*?value="([^"]*)"', text))
    for name in ("about-en", "about-ja"):
        fields[name] = re.search(rf'name="{name}"[^>]*>([^<]*)</textarea>', text)[1]
    for name in ("feedback", "leaderboard", "registration"):
        options = text.partition(f'<select id="{name}"')[2].partition("</select>")[0]
        fields[name] = re.search(r'value="([\w-]+)" selected', options)[1]
    return fields | changed


def test_settings_are_changed_in_the_browser_and_typed_words_stay(scene):
    browser = scene.browser("org")
    page = browser.get("/c/cup/console/settings").text
    for value in (*FeedbackMode, *LeaderboardVisibility):
        assert f'value="{value}"' in page
    form = sent(page, **{"title-en": "Autumn cup", "do": "change", "reason": ""})
    refused = browser.post("/c/cup/console/settings", data=form)
    assert refused.status_code == 422
    assert 'value="Autumn cup"' in refused.text
    done = browser.post("/c/cup/console/settings", data=form | {"reason": "a new season"})
    assert done.status_code == 303, done.text
    assert "Autumn cup" in browser.get("/c/cup").text


def test_an_emptied_text_and_a_chosen_stage_stay(scene):
    browser = scene.browser("org")
    where = "/c/cup/console/settings"
    form = sent(browser.get(where).text, **{"about-en": "", "do": "change", "reason": ""})
    refused = browser.post(where, data=form)
    assert 'aria-describedby="about-hint"></textarea>' in refused.text
    token = form["token"]
    refused = browser.post(where, data={"token": token, "do": "stage", "stage": "archived"})
    assert refused.status_code == 422
    assert 'value="archived" selected' in refused.text
    assert "Purchases of one year" in refused.text
    again = {"token": token, "do": "stage", "stage": "open", "reason": "kept words"}
    assert 'value="kept words"' in browser.post(where, data=again).text

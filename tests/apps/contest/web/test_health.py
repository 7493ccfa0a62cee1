"""For those who run the machine: alive, ready, figures, and a database that goes away."""

from __future__ import annotations

import logging
import os
import re
import time


def test_health_asks_nobody_and_ready_names_what_is_missing(scene):
    browser = scene.browser()
    assert browser.get("/health").json() == {"ok": True}
    answer = browser.get("/ready")
    assert (answer.status_code, answer.json()) == (
        503,
        {"ok": False, "database": True, "disk": True, "worker": False},
    )
    scene.place.home.record_heartbeat("host/1")
    assert browser.get("/ready").status_code == 200


def test_a_worker_counts_while_it_gives_signs_of_life(scene):
    home = scene.place.home
    home.record_heartbeat("w")
    assert home.workers_alive(within=60) == 1
    long_ago = time.time() - 3600
    os.utime(home.path / "scratch" / "w.alive", (long_ago, long_ago))
    assert home.workers_alive(within=60) == 0
    home.record_heartbeat("w")
    home.end("w")
    assert home.workers_alive(within=60) == 0


LINE = re.compile(r"# (HELP|TYPE) \w+ .+|\w+(\{\w+=\"[\w-]+\"\})? [0-9.e+]+")


def test_metrics_are_prometheus_text_for_this_machine_only(scene):
    scene.add_entry("aoi", state="queued")
    browser = scene.browser()
    browser.get("/c/cup")
    here = browser.get("/metrics")
    lines = here.text.splitlines()
    assert here.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert all(LINE.fullmatch(line) for line in lines)
    assert 'tokumei_entries{state="queued"} 1.0' in lines
    assert 'tokumei_http_requests_total{status="200"} 1.0' in lines
    browser._transport.client = ("203.0.113.9", 80)
    assert browser.get("/metrics").status_code == 404


def test_a_database_that_is_away_is_no_bug(scene, caplog):
    scene.place.home.record_heartbeat("w")
    browser = scene.browser()
    folder = scene.place.home.path / "database"
    scene.place.database.engine.dispose()
    folder.rename(folder.with_name("gone"))
    try:
        with caplog.at_level(logging.ERROR):
            page, program = browser.get("/c/cup"), browser.get("/api/v1/contests")
            ready = browser.get("/ready")
    finally:
        folder.with_name("gone").rename(folder)
    assert (page.status_code, program.status_code, ready.status_code) == (503, 503, 503)
    assert page.headers["retry-after"] == program.headers["retry-after"] == "10"
    assert "データベースに接続できません" in page.text
    assert program.json()["message_ja"].startswith("データベースに接続できません")
    assert ready.json()["database"] is False
    assert "unable to open database file" in caplog.text
    assert browser.get("/health").status_code == 200
    assert browser.get("/c/cup").status_code == 200


def test_every_answer_is_a_line_of_the_log(scene, caplog):
    with caplog.at_level(logging.INFO):
        scene.browser().get("/c/cup?lang=ja")
    assert re.search(r"GET /c/\{slug\} 200 \d+ ms", caplog.text)

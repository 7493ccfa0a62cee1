"""Queued contests and workers that judge them."""

from __future__ import annotations

from apps.contest.jobs.job_fixtures import contest as contest
from apps.contest.jobs.job_fixtures import judging as judging
from apps.contest.jobs.job_fixtures import sqlite_contest as sqlite_contest
from apps.contest.jobs.job_fixtures import worker_of as worker_of

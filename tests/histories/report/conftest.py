"""One small generated history, studied."""

from __future__ import annotations

from histories.report.study_fixtures import category_study as category_study
from histories.report.study_fixtures import history as history
from histories.report.study_fixtures import internal_study as internal_study
from histories.report.study_fixtures import page as page
from histories.report.study_fixtures import study as study

"""What the tests split from test_deploy_files share."""

from __future__ import annotations

from pathlib import Path

DEPLOY = Path(__file__).parents[4] / "deploy"

"""What the tests split from test_fields share."""

from __future__ import annotations

from tokumei.core.fields import FrontEnd

CLI, PYTHON, RECIPE, FORM = FrontEnd

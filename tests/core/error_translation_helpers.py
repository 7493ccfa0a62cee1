"""What the tests split from test_error_translation share."""

from __future__ import annotations

import re

JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")

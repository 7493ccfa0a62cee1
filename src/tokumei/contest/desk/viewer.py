"""Who looks: a visitor, a person with an account, an organiser.

viewer = VISITOR
viewer.require_account()        # LogInFirst
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.text import Text
from tokumei.http.refusals import LogInFirst, NotAllowed


@dataclass(frozen=True)
class Viewer:
    """A person, or nobody in particular (`account_id` None)."""

    account_id: int | None = None
    name: str = ""
    organiser: bool = False

    def require_account(self) -> int:
        """The account's number; refuses visitors."""
        if self.account_id is None:
            raise LogInFirst()
        return self.account_id

    def require_organiser(self) -> int:
        """The account's number; refuses everybody else."""
        account = self.require_account()
        if not self.organiser:
            raise NotAllowed(Text("only organisers may do this", "主催者だけができる操作です"))
        return account


VISITOR = Viewer()

"""`tokumei price optimize --engine spark`: the same command on a cluster."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.cli.console import note, print_json
from tokumei.cli.price.inputs import tell_unpriced, warn_of_many
from tokumei.cli.price.tables import print_answers
from tokumei.core.text import Text
from tokumei.files.containers import Format, format_of
from tokumei.files.spark.files import FORMS, read_spark
from tokumei.files.spark.session import spark_session
from tokumei.price.dictionary import PriceList
from tokumei.price.question import Question
from tokumei.price.spark import PeopleOnSpark
from tokumei.tables.releasing.spark import save_on_spark


@dataclass(frozen=True)
class PriceCommand:
    """What is asked of which people."""

    data: str
    prices: PriceList
    question: Question
    columns: list[str] | None
    master: str | None
    sep: str | None
    encoding: str

    def run(
        self,
        out: str | None,
        secret: str | None,
        keep: list[str],
        *,
        keep_order: bool,
        seed: int | None,
        json: bool,
    ) -> None:
        """Find the best recoding; write it if there is an `out`."""
        with spark_session(self.master) as session:
            source = read_spark(session, self.data, sep=self.sep, encoding=self.encoding)
            people = PeopleOnSpark(source, self.prices, columns=self.columns)
            warn_of_many(people.session, self.question.seconds)
            asked = people.session.ask(self.question)
            told = asked.as_json()
            if out is not None:
                release = people.release(
                    asked,
                    keep=keep,
                    keep_order=keep_order,
                    seed=seed,
                    as_text=format_of(out, FORMS) is not Format.PARQUET,
                )
                save_on_spark(release, out, secret=secret, sep=self.sep or source.sep)
                claims = ", ".join(claim.rule for claim in release.claims) or "–"
                note(
                    Text(
                        f"{out}: {release.rows:,} rows; verified: {claims}",
                        f"{out}: {release.rows:,} 行。検証済み: {claims}",
                    )
                )
        if json:
            unpriced = [{"attribute": name, "word": word} for name, word in self.prices.unpriced]
            rows = people.session.rows
            print_json(told | {"rows": rows, "unpriced": unpriced, "out": out})
            return
        print_answers(asked)
        tell_unpriced(self.prices)

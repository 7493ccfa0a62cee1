"""`Message`: a sentence for people, translated when it is shown.

    message = Message("the file {name} has no column {column}", name="a.csv", column="age")
    message.show()                       # in the language in force
    message.show("ja")
    Message("{count} row", plural="{count:,} rows", count=rows)
    Message("open", context="a phase")   # where the same English means two things
    Message.verbatim("age")              # a name or a value: the same in every language
    Message("given", stable_code="given")      # JSON tells the code beside the sentence
    with language_context("ja"): ...

The English sentence is the key of the catalogs (`core/catalogs.py`). Placeholders are named and
take the format specifications of `core/formatting.py` beside Python's: `{share:percent}`. A value
may be a message again. JSON, too, is written here, the same in every file and by every command.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from datetime import date, time
from functools import reduce
from numbers import Number
from typing import Any

from tokumei.core.catalogs import SOURCE_LANGUAGE, available_languages, translate
from tokumei.core.language import Language, current_language

FIRST_PLACEHOLDER = re.compile(r"\{(\w+)")


class Message:
    """One sentence, in every language there is a catalog for."""

    __slots__ = ("context", "count", "id", "japanese", "plural", "stable_code", "values")

    def __init__(
        self,
        message_id: str,
        japanese: str | None = None,
        /,
        *,
        context: str | None = None,
        plural: str | None = None,
        count: float | None = None,
        stable_code: str | None = None,
        **values: object,
    ) -> None:
        """The English sentence and what stands for its placeholders.

        `plural` is the sentence for any `count` but one; `count` is a placeholder of both. A
        sentence without values is shown as it stands, braces and all. Programs know the sentence
        by its `stable_code`, which JSON has beside it and which no rewording changes.
        """
        if japanese is not None:
            warnings.warn(
                "Message(english, japanese) is replaced by Message.of_texts({'en': …, 'ja': …})",
                DeprecationWarning,
                stacklevel=2,
            )
        self.japanese = japanese
        self.id = message_id
        self.context = context
        self.plural = plural
        self.stable_code = stable_code
        self.count = 1 if count is None else count
        self.values = {name: _as_value(value) for name, value in values.items()}
        if count is not None:
            self.values["count"] = count

    @staticmethod
    def verbatim(text: str) -> Message:
        """A name or a value, which no language writes in another way."""
        return _FixedMessage({SOURCE_LANGUAGE: text})

    @staticmethod
    def of_texts(texts: Mapping[str, str]) -> Message:
        """A sentence that was stored, or that somebody else wrote, by language."""
        return _FixedMessage(texts)

    @staticmethod
    def of_json(data: Mapping[str, object], name: str) -> Message:
        """What `as_json` wrote among other plain data."""
        prefix = f"{name}_"
        texts = {
            key.removeprefix(prefix): text
            for key, text in data.items()
            if key.startswith(prefix) and isinstance(text, str)
        }
        stable_code = texts.pop("code", None)
        return _FixedMessage(texts, stable_code)

    def fill(self, **values: object) -> Message:
        """The same sentence with values for its placeholders, beside those it has."""
        return Message(
            self.id,
            context=self.context,
            plural=self.plural,
            stable_code=self.stable_code,
            **self.values | values,  # type: ignore[arg-type]
        )

    def show(self, language: Language | None = None) -> str:
        """The sentence in `language`, or in the language in force."""
        language = language or current_language()
        if self.japanese is not None:
            return self.japanese if language == "ja" else self.id
        text = self._template(language)
        if not self.values:
            return text
        return text.format(**{n: _ShownValue(v, language) for n, v in self.values.items()})

    def _template(self, language: Language) -> str:
        """The sentence with its placeholders."""
        return translate(
            self.id, language, context=self.context, plural=self.plural, count=self.count
        )

    def begins_with_name(self, language: Language) -> bool:
        """Whether its first word is a name or a value, which is written as it is."""
        first = FIRST_PLACEHOLDER.match(self._template(language)) if self.values else None
        if first is None:
            return False
        value = self.values.get(first[1])
        return not isinstance(value, Message) or value.begins_with_name(language)

    def texts(self) -> dict[str, str]:
        """The sentence by language."""
        return {language: self.show(language) for language in available_languages()}

    def as_json(self, name: str) -> dict[str, str]:
        """All languages as plain data: `name_en`, `name_ja`, and `name_code` if it has one."""
        coded = {} if self.stable_code is None else {f"{name}_code": self.stable_code}
        return coded | {f"{name}_{language}": text for language, text in self.texts().items()}

    def __str__(self) -> str:
        return self.show()

    def __repr__(self) -> str:
        return f"Message({self.show(SOURCE_LANGUAGE)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.texts() == other.texts()

    def __hash__(self) -> int:
        return hash(self.show(SOURCE_LANGUAGE))


class _FixedMessage(Message):
    """Sentences given by language; for any other, English or else the first one."""

    __slots__ = ("_texts",)

    def __init__(self, texts: Mapping[str, str], stable_code: str | None = None) -> None:
        self._texts = dict(texts)
        super().__init__(self.show(SOURCE_LANGUAGE), stable_code=stable_code)

    def show(self, language: Language | None = None) -> str:
        text = self._texts.get(language or current_language())
        if text is None:
            text = self._texts.get(SOURCE_LANGUAGE, next(iter(self._texts.values()), ""))
        return text

    def begins_with_name(self, language: Language) -> bool:
        return len(self._texts) == 1


class _JoinedMessage(Message):
    """Several messages as one, joined as the language does it."""

    __slots__ = ("last", "parts", "separator")

    def __init__(self, parts: tuple[Message, ...], separator: Message, last: Message) -> None:
        super().__init__("")
        self.parts = parts
        self.separator = separator
        self.last = last

    def show(self, language: Language | None = None) -> str:
        language = language or current_language()
        texts = [part.show(language) for part in self.parts]
        head = self.separator.show(language).join(texts[:-1])
        return self.last.show(language).join([head, texts[-1]] if head else texts[-1:])

    def begins_with_name(self, language: Language) -> bool:
        return bool(self.parts) and self.parts[0].begins_with_name(language)


class _Sentences(Message):
    """Sentences one behind the other, as the language does it."""

    __slots__ = ("sentences",)

    def __init__(self, sentences: tuple[Message, ...]) -> None:
        super().__init__("")
        self.sentences = sentences

    def show(self, language: Language | None = None) -> str:
        language = language or current_language()
        pair = TWO_SENTENCES.show(language)
        texts = [sentence.show(language) for sentence in self.sentences]
        return reduce(lambda text, after: pair.format(before=text, after=after), texts or [""])


class _Sentence(Message):
    """A clause that is shown as a sentence."""

    __slots__ = ("clause",)

    def __init__(self, clause: Message) -> None:
        super().__init__("", stable_code=clause.stable_code)
        self.clause = clause

    def show(self, language: Language | None = None) -> str:
        language = language or current_language()
        text = self.clause.show(language)
        if not self.clause.begins_with_name(language):
            text = text[:1].upper() + text[1:]
        is_whole = text.endswith((".", "。", "!", "?", "？"))
        return text if is_whole else FULL_STOP.fill(sentence=text).show(language)


FULL_STOP = Message("{sentence}.")
COMMA = Message(", ", context="between the items of a list")
SEMICOLON = Message("; ", context="between the items of a list")
AND = Message(" and ", context="before the last item of a list")
OR = Message(" or ", context="before the last item of a list")
TWO_SENTENCES = Message("{before} {after}", context="two sentences, one behind the other")


def join_messages(
    parts: Iterable[Message | str], separator: Message = COMMA, last: Message | None = None
) -> Message:
    """A list in a sentence: `separator` between its items, `last` (AND, OR) before the last one."""
    messages = [part if isinstance(part, Message) else Message.verbatim(part) for part in parts]
    return _JoinedMessage(tuple(messages), separator, last or separator)


def as_message(message: Message | str, /, **values: Any) -> Message:
    """A message, or an English sentence with its values as one."""
    return message if isinstance(message, Message) else Message(message, **values)


def as_sentence(clause: Message) -> Message:
    """A clause as a sentence of its own: with its first letter and its full stop."""
    return _Sentence(clause)


def join_sentences(sentences: Iterable[Message]) -> Message:
    """Sentences one behind the other."""
    return _Sentences(tuple(sentences))


class _ShownValue:
    """What stands for a placeholder, in one language."""

    __slots__ = ("language", "value")

    def __init__(self, value: object, language: Language) -> None:
        self.value = value
        self.language = language

    def __format__(self, spec: str) -> str:
        if isinstance(self.value, Message):
            return format(self.value.show(self.language), spec)
        if isinstance(self.value, str):
            return format(self.value, spec)
        from tokumei.core.formatting import format_value

        return format_value(self.value, spec, self.language)

    def __str__(self) -> str:
        return format(self)

    def __repr__(self) -> str:
        return repr(self.value)


def _as_value(value: object) -> object:
    """A value that does not change until the message is shown."""
    if value is None or isinstance(value, str | Message | Number | date | time):
        return value
    return str(value)

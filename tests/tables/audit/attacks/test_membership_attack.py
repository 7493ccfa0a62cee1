"""Tests of tokumei.tables.audit.attacks.membership_attack."""

from tokumei.tables.audit.attacks.membership_attack import membership_attacks


def test_every_attack_has_words_in_both_languages():
    for name in membership_attacks.names():
        kind = membership_attacks.get(name)
        assert kind.name == name
        assert kind.formula
        for text in (kind.title, kind.sentence):
            assert text.show("en")
            assert any(ord(sign) > 0x3000 for sign in text.show("ja"))

"""Whatever a tool, a model or a person writes, nothing in a message of ours acts, and nothing is hidden."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import cycle
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approvals.ledger.decide import Because, Counted, Decided, Outcome, Refused
from approvals.ledger.due import Nudge
from approvals.ledger.find import EarlierNo
from approvals.ledger.freeze import Freeze
from approvals.ledger.silence import FailedPage, Silence
from approvals.ledger.status_line import StatusLine
from approvals.records import Approval, ApprovalId, Edit, RunId, Vote
from approvals.rules.may_decide import Why
from approvals.rules.places import CardKind
from approvals.rules.rule import Approvers
from approvals.rules.words import DecisionType, Risk, Say
from bot.cards.answers import answer
from bot.cards.around import Around, Called
from bot.cards.blocks import text_size
from bot.cards.buttons import FORMS
from bot.cards.calling import calling
from bot.cards.card import CardMessage, render, render_short
from bot.cards.escape import escape, visible
from bot.cards.lock import lead
from bot.cards.progress import progress
from bot.cards.says import says
from bot.cards.sizes import BLOCK_TEXT, TEXT_BYTES, size
from bot.cards.words import Callers, summary_of
from bot.forms.all_said import with_all_said
from bot.forms.edit import NotEditable, edit_form
from bot.forms.full_view import full_view
from bot.forms.note import note_form, told_form
from demo.slack.blocks.validator import check_message, check_view
from tests.bot.hostile import HOSTILE, LONG, TOKENS
from tests.bot.slack_reading import acts, all_texts, faults, unseen
from tests.bot.values import ANA, AROUND, BO, CY, EVERY_STATE, OPENED, a_question, a_rule, a_yes, an_approval

States = tuple[Approval, ...]
ALL: Final = tuple(EVERY_STATE.values())
PARTS: Final = 8
# One of each kind, in every state.
WORST: Final = ("<!channel>", "<@U1EVIL|ana>", "*approved*", ":warning", "> quoted", "\u202eevorppA", "a\nb", "&lt;")
EVERY_DECISION: Final = tuple(DecisionType)
SECRETS: Final = [
    "s3cr3t-t0ken", "p*ss w<o>rd", "a&b&c&d", "_under_", "line1\nline2", "\ta key\t", "ключ-пароль", "a\u200bb\u200bc",
    '"quo\\ted"', "𝕏𝕏𝕏𝕏", "x" * 3_000, "{service}", "e\u0301e\u0301e\u0301", "https://u:p@h/",
]  # fmt: skip


def rules(text: str) -> Iterator[dict[str, Any]]:
    """The policy's lines, filled from hostile arguments; names and handles from wherever."""
    lines = {"check": "look at {service}", "consequence": "{service} is down", "redact": ("token", text)}
    group = (Approvers(name=text or "x", usergroup=text or "x"),)
    yield {"summary": "{environment} - Restart {service}", "risk": Risk.HIGH, "approvers": group, **lines}
    yield {"summary": "{service}", "risk": None, "quorum": 3, **lines, "redact": ("token",)}
    yield {"summary": None, "risk": Risk.LOW, **lines}


def approvals(text: str, secret: str, states: States = ALL) -> Iterator[Approval]:
    """Every state, with the text in every field that can hold one, and the secret wherever words are."""
    words = f"{text} {secret}"
    args = {
        "environment": text, "service": words, "token": secret, "deep": {text: [words, {"token": secret}]}, text: 5,
    }  # fmt: skip
    older = {**args, "service": "other", "gone": words}
    common: dict[str, Any] = {
        "args_json": json.dumps(args),
        "args_schema": {"properties": {text: {"title": text}, "service": {"description": text}}},
        "filled_in": (text, "service"),
        "claim": words,
        "fingerprint": words,
        "tool": text or "t",
        "agent": text or "a",
        "requesters": (ANA, text),
        "replaces": ApprovalId(text) if text else None,
    }
    ended = {"reason": words, "result": words, "response": words, "settled_by": text or None}
    edits = (Edit(1, json.dumps(older), text, OPENED), Edit(2, json.dumps({**args, "service": secret}), CY, OPENED))
    votes = (Vote(text, DecisionType.APPROVE, words, OPENED), a_yes(BO))
    # Each state under one of the rules in turn: every rule meets states of every kind.
    for state, rule in zip(states, cycle(rules(text)), strict=False):
        by_rule = a_rule(decisions=EVERY_DECISION, **rule)
        yield replace(state, **common, **ended, rule=by_rule, votes=votes, edits=edits)
    asks = a_rule(decisions=(DecisionType.RESPOND,), redact=("token",))
    yield a_question(**common, response=words, rule=asks)


def around(text: str, secret: str) -> Around:
    return Around(
        callers=Callers(AROUND.callers.tokens, (text,)),
        heir=ApprovalId(text),
        earlier_no=EarlierNo(text, OPENED, f"{text} {secret}"),
        names={ANA: text},
        card_in=(text,),
        in_thread=True,
        asked=AROUND.callers,
        escalated=(Called(OPENED, AROUND.callers, page=text), Called(OPENED, Callers((), (text,)))),
        called=(text, BO),
        silence=Silence((OPENED,), (), (FailedPage(text, f"{text[:80]} {secret}"),), ApprovalId(text[:30] or "A-1")),
        frozen=Freeze(text, f"{text} {secret}", OPENED),
    )


def messages(text: str, secret: str, states: States = ALL) -> Iterator[CardMessage]:
    beside = around(text, secret)
    for approval in approvals(text, secret, states):
        yield render(approval, beside)
        yield render_short(approval, beside)
    yield render(a_question(args_json=json.dumps({"question": text}), agent=text or "a"), AROUND)
    for kind in CardKind:
        yield render(an_approval(tool=text or "t", claim=text), around(text, ""), kind)
    for doing in (text, f"calling {text}", "done"):
        for ended_at in (None, OPENED):
            yield progress(a_line(doing, ended_at))
    yield says("answer", text)
    yield says("notice", text)


def a_line(doing: str, ended_at: Any) -> StatusLine:
    return StatusLine(
        "1", RunId("r"), "C1", "1.1", doing, OPENED, ended_at, OPENED + timedelta(seconds=9), 1, None, "t", tried=True
    )


def sentences(text: str, secret: str, states: States = ALL) -> Iterator[str]:
    """What clickers are told, and what is posted under a card."""
    callers = Callers(AROUND.callers.tokens, (text,))
    outcomes: list[Outcome] = []
    for approval in approvals(text, secret, states):
        outcomes += [Decided(approval), Counted(approval, 1, 2), Refused(Because.CLOSED, approval)]
        for kind in ("vote", "edit", *Nudge):
            yield calling(kind, approval, callers) or "-"
    some = next(approvals(text, secret))
    outcomes += [Refused(because, some) for because in Because]
    outcomes += [Refused(Because.NOT_ALLOWED, some, why) for why in Why]
    for outcome in outcomes:
        for say in Say if outcome == Decided(some) else (Say.APPROVE, Say.EDIT, Say.RESPOND):
            yield answer(outcome, say, text, callers)


def views(text: str, secret: str) -> Iterator[dict[str, Any]]:
    approval = next(approvals(text, secret))
    yield from (note_form(press, approval.key, text) for press in FORMS)
    yield told_form("Not recorded", next(sentences(text, secret)))
    heading, redact = summary_of(approval), approval.rule.redact
    forms = (
        edit_form(approval.key, heading, approval.args_schema, approval.args_json, redact),
        full_view(approval.key, heading, approval.args_json, redact, approve=True, warnings=(text,)),
    )
    for form in forms:
        if not isinstance(form, NotEditable):
            yield with_all_said(form, approval)


def assert_harmless(text: str, states: States = ALL, secret: str = "s3cr3t-t0ken") -> None:
    for message in messages(text, secret, states):
        check_message(list(message.blocks))
        assert text_size(message.blocks) <= BLOCK_TEXT or message.blocks[0]["type"] == "markdown"
        assert len(message.blocks) <= 50
        assert len(message.text.encode()) <= TEXT_BYTES
        assert list(faults(message.blocks)) == []
        assert acts(message.text) == []
        assert unseen(message.text) == []
    for view in views(text, secret):
        check_view(view)
        assert [fault for fault in faults(view) if not fault.startswith("hidden")] == []
    for sentence in sentences(text, secret, states):
        assert size(sentence) <= 3_000
        assert acts(sentence) == []
        assert unseen(sentence) == []


@pytest.mark.parametrize("text", WORST, ids=ascii)
def test_hostile_text_neither_acts_nor_hides_in_any_state(text: str) -> None:
    assert_harmless(text)


@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_text_neither_acts_nor_hides(part: int) -> None:
    """Each text in every third state: the texts beside it on the list meet the others."""
    for number, text in list(enumerate(HOSTILE))[part::PARTS]:
        assert_harmless(text, ALL[number % 3 :: 3])


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text)[:12])
def test_neither_does_any_amount_of_it(text: str) -> None:
    """Two states are enough for lengths: the others differ in their words, not in their rooms."""
    assert_harmless(text, (EVERY_STATE["waiting, edited"], EVERY_STATE["done"]))


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(), max_size=40) | st.text("<>!@&|*_~`:;#/ \n\u202e\u0301a", max_size=40))
def test_no_text_at_all_acts_or_hides(text: str) -> None:
    assert_harmless(text)


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: ascii(secret)[:20])
@pytest.mark.parametrize("text", ["x", "<!channel>"])
def test_what_the_policy_hides_is_nowhere(secret: str, text: str) -> None:
    shown = [text for m in messages(text, secret) for text in [m.text, *all_texts(m.blocks)]]
    shown += [text for view in views(text, secret) for text in all_texts(view)]
    shown += list(sentences(text, secret))
    spellings = {
        secret,
        secret.strip(),
        visible(secret),
        visible(secret.strip()),
        escape(secret),
        json.dumps(secret)[1:-1],
    }
    assert [one[:300] for one in shown if any(spelling in one for spelling in spellings)] == []


@given(st.text(st.characters(), max_size=200))
def test_what_can_be_seen_is_kept(text: str) -> None:
    seen = "".join(c for c in text if c.isascii() and c.isprintable() and c not in "&<> *_~`:")
    assert seen in visible(seen)
    assert escape(seen) == seen


@pytest.mark.parametrize("text", ["Việt Nam", "Vie\u0302\u0323t Nam", "हिन्दी", "ภาษาไทย", "עִבְרִית", "日本語", "naïve"])
def test_the_writing_of_the_world_is_kept(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", ["read_logs", "12:30 to 14:00", "k8s.restart-pod", "p95 > 2 s"])
def test_ordinary_words_stay_as_they_are(text: str) -> None:
    assert escape(text) == text.replace(">", "&gt;")


@pytest.mark.parametrize("token", TOKENS)
def test_risk_and_place_come_from_the_policy_only(token: str) -> None:
    assert lead(an_approval(claim=f"PROD high risk {token}")) == "PROD high risk: Restart checkout"


def test_a_call_with_hidden_characters_says_so() -> None:
    shown = str(render(an_approval(args_json='{"service":"check\\u200bout"}'), AROUND).blocks)
    assert "check\\\\u{200B}out" in shown
    assert "invisible or unusual characters" in shown

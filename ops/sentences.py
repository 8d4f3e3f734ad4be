"""The sentence for every outcome, as a terminal shows it. The words are the card's, but where those speak of
buttons. Pure."""

import re
from typing import Final

from approvals.ledger.decide import Because, Outcome, Refused
from approvals.rules.may_decide import Why
from approvals.rules.words import Say
from bot.cards.answers import answer
from bot.cards.stage import Stage, stage_of
from ops.who import Known, callers_of

TOKEN: Final = re.compile(r"<(?:@|!subteam\^|!date\^\d+\^[^|>]*\|)([^>]*)>")
ENTITIES: Final = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def sentence(outcome: Outcome, say: Say, known: Known) -> str:
    """What happened, or why not."""
    if isinstance(outcome, Refused):
        ours = _refusal(outcome, known)
        if ours:
            return f"Not recorded: {ours}"
    return plain(answer(outcome, say, known.person.user_id, callers_of(outcome.approval)))


def _refusal(refused: Refused, known: Known) -> str | None:
    if refused.why is Why.WHO_UNKNOWN:
        return f"it is not known who {known.person.user_id} is. {known.trouble}."
    if refused.why is Why.GROUP_UNKNOWN:
        groups = ", ".join(sorted(known.person.unread_groups))
        return f"it is not known who is in {groups}. {known.trouble}."
    if refused.because is Because.OLDER_CARD and refused.approval:
        key = refused.approval.key
        return f"the call has moved on: it is at revision {key.revision}, attempt {key.attempt} now. Look at it again."
    if refused.because is Because.CLOSED and refused.approval and stage_of(refused.approval) is Stage.UNKNOWN:
        return (
            "it was approved and begun. What is asked now is whether it happened: "
            "say it-happened, it-did-not-happen or run-again."
        )
    return None


def plain(text: str) -> str:
    """Slack's message text without Slack: people by id, moments in UTC."""
    shown = TOKEN.sub(_shown, text)
    for entity, char in ENTITIES:
        shown = shown.replace(entity, char)
    return shown


def _shown(token: re.Match[str]) -> str:
    return token[1]

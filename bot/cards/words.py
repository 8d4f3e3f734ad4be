"""Small things that every card says: who, when, which call. Pure."""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from approvals.records import Approval
from approvals.rules.places import is_direct
from approvals.rules.rule import REQUESTER
from approvals.rules.select_rule import VALUE_LIMIT, fill_summary
from approvals.rules.words import DecisionType
from bot.cards.arguments import show_value
from bot.cards.escape import escape_to, visible_line
from bot.cards.hidden import shown_args

USER_ID: Final = re.compile(r"[UW][A-Z0-9]{2,20}")
CHANNEL_ID: Final = re.compile(r"[CG][A-Z0-9]{2,20}")
SYSTEM: Final = "system"
NAME: Final = 40
# A section holds 3,000 characters. Whoever has more approvers than this has a user group for them.
MOST_NAMES: Final = 50
FEW: Final = 20
SAME_DAY: Final = timedelta(hours=12)
SUMMARY: Final = 300
LONE_WORD: Final = re.compile(r"\{?[\w-]+\}?")
QUOTING: Final = re.compile(r"[\"'`\\]|\$\(|<<")


@dataclass(frozen=True, slots=True)
class Callers:
    """Who is called to decide, as Slack tokens; the user groups of the rule that Slack does not know, and the
    look-ups that did not answer. `unread`: Slack could not be asked, so nothing may be said about who can and who
    cannot. `counts`: of a user group's token, how many are in it."""

    tokens: tuple[str, ...] = ()
    unknown_groups: tuple[str, ...] = ()
    unread: bool = False
    unanswered: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict, compare=False)


def summary_of(approval: Approval) -> str:
    """The one line that says what the call does: from the policy and the arguments, never from the model."""
    return filled(approval, approval.rule.summary)


def said_summary(approval: Approval) -> str:
    """The same inside a sentence of ours."""
    return escape_to(summary_of(approval), SUMMARY)


def where_and_what(approval: Approval) -> tuple[str, str]:
    """The summary in its two halves, `prod` and `Restart checkout`, where the policy writes it so, in either
    order; else the first is empty."""
    first, _, second = (approval.rule.summary or "").partition(" - ")
    if second and LONE_WORD.fullmatch(first):
        return filled(approval, first), filled(approval, second)
    if second and LONE_WORD.fullmatch(second):
        return filled(approval, second), filled(approval, first)
    return "", summary_of(approval)


def filled(approval: Approval, line: str | None) -> str:
    """A line of the policy with the arguments in it, without those that it hides."""
    args = shown_args(approval, approval.args_json)
    return visible_line(fill_summary(line, approval.tool, args, approval.rule.redact))


def check_of(approval: Approval) -> str:
    """How the policy says to look. Whoever pastes it into a shell must not run what a model put into a value: one
    that cannot be quoted, whole and for sure, stays the placeholder that it is."""
    line, args = approval.rule.check or "", shown_args(approval, approval.args_json)
    words = {name: word for name, value in args.items() if (word := _shell_word(value, line)) is not None}
    return visible_line(fill_summary(line, approval.tool, words, approval.rule.redact))


def _shell_word(value: object, line: str) -> str | None:
    text = value if isinstance(value, str) else show_value(value)
    quoted = shlex.quote(text)
    # Inside quotes of the policy's own ours would end them, and half of a quoted value would open all that follows.
    fits = len(quoted) <= VALUE_LIMIT and not QUOTING.search(line)
    return quoted if quoted == text or fits else None


def stopped(text: str) -> str:
    """A sentence that ends once, also where the policy or an argument ended it already."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def is_question(approval: Approval) -> bool:
    """Whether people can only answer it."""
    return set(approval.rule.decisions) == {DecisionType.RESPOND}


def did_not_run(approval: Approval) -> str:
    """Of a question nothing could have run; and what is not behind our guard we cannot vouch for."""
    if is_question(approval):
        return ""
    return "It did not run." if approval.guarded else "The agent is told so."


def asker_of(approval: Approval) -> str:
    """`oncall > file-manager`: the agent, and who in it asks."""
    return f"{approval.agent} > {approval.asker}" if approval.asker else approval.agent


def who(user_id: str | None) -> str:
    if not user_id or user_id == SYSTEM:
        return "Countersign"
    return f"<@{user_id}>" if USER_ID.fullmatch(user_id) else escape_to(user_id, NAME)


def place(channel_id: str) -> str:
    """A channel, named for readers who may see it."""
    return f"<#{channel_id}>" if CHANNEL_ID.fullmatch(channel_id) else escape_to(channel_id, NAME)


def decided_where(channel_ids: Iterable[str]) -> str:
    """`in #ops and in direct messages to those who may decide`."""
    direct = "in direct messages to those who may decide"
    named = (direct if is_direct(one) else f"in {place(one)}" for one in channel_ids)
    return several(dict.fromkeys(named), most=10)


def several(names: Iterable[str], joiner: str = "and", most: int = MOST_NAMES) -> str:
    """`a`, `a and b`, `a, b and c`; of very many the first ones and how many more."""
    listed = list(names) or [""]
    if len(listed) > most:
        listed = [*listed[:most], f"{len(listed) - most} more"]
    *first, last = listed
    return f"{', '.join(first)} {joiner} {last}" if first else last


def requesters_of(approval: Approval) -> str:
    return several(map(who, approval.requesters), most=FEW) if approval.requesters else "nobody"


def barred(approval: Approval) -> tuple[str, ...]:
    """Those who asked, where the policy does not let them approve what they asked for."""
    named = any(approvers.name == REQUESTER for approvers in approval.rule.approvers)
    return () if approval.rule.self_approval or named else approval.requesters


def deciders(approval: Approval, callers: Callers) -> tuple[str, ...]:
    """Those who are called, without those who may not approve."""
    barred_tokens = set(map(who, barred(approval)))
    named = (f"@{escape_to(name.removeprefix('@'), NAME)}" for name in callers.unknown_groups)
    return (*(token for token in callers.tokens if token not in barred_tokens), *named)


def at(moment: datetime | None, form: str = "{date_short_pretty} {time}") -> str:
    """A moment in the reader's own zone."""
    if moment is None:
        return "an unknown time"
    return f"<!date^{int(moment.timestamp())}^{form}|{moment:%Y-%m-%d %H:%M:%S} UTC>"


def precisely(moment: datetime | None, approval: Approval) -> str:
    """To the second: what is compared with the logs of other systems."""
    return clock(moment, approval, "{time_secs}")


def clock(moment: datetime | None, approval: Approval, form: str = "{time}") -> str:
    """A moment of this call; the day is left out where it can only be the day of the call."""
    soon = moment is not None and abs(moment - approval.opened_at) < SAME_DAY
    return at(moment, form if soon else f"{{date_short_pretty}} {form}")


def votes_of(approval: Approval, decision: str = DecisionType.APPROVE) -> str:
    """Who said so and when: `@bo 03:13 and @cy 03:14`; empty if nobody did."""
    said = [f"{who(vote.user_id)} {clock(vote.at, approval)}" for vote in approval.votes if vote.decision == decision]
    return several(said, most=10) if said else ""


def until(approval: Approval) -> str:
    """The end of waiting; the day is left out where it can only be today or tonight."""
    soon = approval.expires_at - approval.opened_at < SAME_DAY
    return at(approval.expires_at, "{time}" if soon else "{date_short_pretty} {time}")


def how_long(duration: timedelta) -> str:
    """30 min, 8 h, 2 d: for a locked phone, rounded."""
    seconds = round(duration.total_seconds())
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit and (seconds % unit == 0 or seconds >= 10 * unit):
            return f"{round(seconds / unit)} {name}"
    return f"{round(seconds / 60)} min" if seconds >= 60 else f"{seconds} s"

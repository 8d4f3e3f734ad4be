"""A person's Home, and the same as a list: what waits for them, riskiest and oldest first. Pure."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from approvals.ledger.freeze import Freeze
from approvals.ledger.inbox import Inbox
from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import Status
from bot.cards.argument_block import arguments_of, question_in
from bot.cards.around import Around
from bot.cards.blocks import Block, actions, context, header, label, mrkdwn, preformatted, section
from bot.cards.buttons import Reach, buttons
from bot.cards.lock import lead, lock_line
from bot.cards.silence import since
from bot.cards.sizes import cut_bytes, size
from bot.cards.stage import Stage, stage_of
from bot.cards.words import at, is_question, requesters_of, until, votes_of, who

HOME_NEXT: Final = "home_next"
HOME_PREVIOUS: Final = "home_previous"
# Slack takes a hundred blocks and 250 kB; some are for what stands on every page.
PAGE_BLOCKS: Final = 88
PAGE_BYTES: Final = 150_000
# What is longer is read, and approved, in the full view.
ARGUMENTS_ROOM: Final = 1_200
LISTED: Final = 10
NO_CLOCK: Final = (
    ":warning: No clock is at work: nothing expires, nobody is reminded and no card is mended until one is started."
)
LONG: Final = "The call is long; Approve opens the whole of it first."
DECIDE: Final = "Decide on the cards, or on my Home."
EMPTY: Final = "Nothing waits for you."
TITLES: Final = ("Waiting on me", "Waiting on my teams", "Asked for by me", "Decided lately")

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One page of a Home; `page` is the one that it came to, counted from 0, where there are not so many."""

    view: View
    page: int


def home(inbox: Inbox, frozen: Freeze | None, *, clock_alive: bool, page: int = 0) -> Drawn:
    """Everything on it can be decided on it, by the same buttons as on a card."""
    pages = list(_pages(_groups(inbox))) or [[]]
    shown = min(max(page, 0), len(pages) - 1)
    head = [header(_counted(inbox)), *([] if clock_alive else [section(NO_CLOCK)])]
    head += [section(f":warning: {since(frozen)} Nothing starts.")] if frozen else []
    turn = _turning(shown, len(pages))
    return Drawn({"type": "home", "blocks": [*head, *pages[shown], *turn]}, shown)


def as_list(inbox: Inbox, frozen: Freeze | None, *, clock_alive: bool) -> str:
    """The same in few words, for the one who typed the command."""
    lines = [*([] if clock_alive else [NO_CLOCK]), *([f":warning: {since(frozen)}"] if frozen else [])]
    for title, approvals in zip(TITLES, (inbox.mine, inbox.teams, inbox.asked), strict=False):
        if approvals:
            lines.append(f"*{title}* ({len(approvals)})")
            lines += [f"• {lead(one)} - {_limit(one)} - {one.id}" for one in approvals[:LISTED]]
            lines += [f"… and {len(approvals) - LISTED} more on my Home."] if len(approvals) > LISTED else []
    nothing = not (inbox.mine or inbox.teams or inbox.asked)
    return cut_bytes(
        "\n".join([*lines, *([EMPTY] if nothing else []), *([DECIDE] if inbox.mine or inbox.teams else [])])
    )


def _counted(inbox: Inbox) -> str:
    mine, teams = len(inbox.mine), len(inbox.teams)
    waits = "waits" if (mine or teams) == 1 else "wait"
    numbers = [*([f"{mine} {waits} for you"] if mine else []), *([f"{teams} for your teams"] if teams else [])]
    return ", ".join(numbers) if mine else f"{teams} {waits} for your teams" if teams else EMPTY.removesuffix(".")


def _groups(inbox: Inbox) -> Iterator[tuple[str, list[Block]]]:
    """What belongs together, under the title that it stands under."""
    for title, approvals in zip(TITLES, (inbox.mine, inbox.teams), strict=False):
        yield from ((f"{title} ({len(approvals)})", _to_decide(one)) for one in approvals)
    yield from ((f"{TITLES[2]} ({len(inbox.asked)})", [section(_waiting(one))]) for one in inbox.asked)
    yield from ((TITLES[3], [section(f"{at(one.decided_at)}: {lock_line(one, Around())}")]) for one in inbox.decided)


def _pages(groups: Iterable[tuple[str, list[Block]]]) -> Iterator[list[Block]]:
    blocks: list[Block] = []
    title = ""
    for under, group in groups:
        more = ([] if under == title else [section(f"*{under}*")]) + group
        if blocks and (len(blocks) + len(more) > PAGE_BLOCKS or _bytes([*blocks, *more]) > PAGE_BYTES):
            yield blocks
            blocks, more = [], [section(f"*{under}*"), *group]
        blocks += more
        title = under
    if blocks:
        yield blocks


def _bytes(blocks: list[Block]) -> int:
    return len(json.dumps(blocks)) if len(blocks) > PAGE_BLOCKS // 4 else 0


def _turning(page: int, pages: int) -> list[Block]:
    if pages == 1:
        return []
    turns = [(HOME_PREVIOUS, "Previous", page - 1), (HOME_NEXT, "Next", page + 1)]
    offered = [
        {"type": "button", "action_id": action, "text": label(text), "value": str(to)}
        for action, text, to in turns
        if 0 <= to < pages
    ]
    return [actions(*offered), context(mrkdwn(f"Page {page + 1} of {pages}"))]


def _to_decide(approval: Approval) -> list[Block]:
    """What cannot be seen whole here is approved in the full view, as on a card."""
    shown = (question_in(approval) if is_question(approval) else None) or arguments_of(approval)
    whole = shown.whole and size(shown.text) <= ARGUMENTS_ROOM
    arguments = preformatted(shown.text) if whole else section(LONG)
    return [section(_waiting(approval)), arguments, *buttons(approval, Reach(whole=whole))]


def _waiting(approval: Approval) -> str:
    asker = who(approval.asked_by) if approval.asked_by else requesters_of(approval)
    have = votes_of(approval)
    votes = f" {approvals_in(approval.votes)} of {approval.rule.quorum} approvals ({have})." if have else ""
    return f"*{lead(approval)}*\n{_limit(approval)}.{votes} {asker} asks. {approval.id}"


def _limit(approval: Approval) -> str:
    if stage_of(approval) is Stage.UNKNOWN:
        return "It may or may not have happened; look before you answer"
    return f"Until {until(approval)}" if approval.status is Status.PENDING else stage_of(approval)

"""Pages: tells pagers that somebody is needed, and later that nobody is any more."""

import structlog

from approvals.ledger.cards import shown_at
from approvals.ledger.find import find_approval
from approvals.ledger.pages import Page, lease_pages, page_failed, page_taken
from approvals.records import Approval
from bot.cards.words import summary_of
from bot.messenger import Messenger
from workers.pagers import Pagers, Told
from workers.sweep.world import World

BATCH = 20

log = structlog.get_logger()


def page(world: World) -> int:
    """One batch. What a pager does not take is tried again later, and on the card meanwhile."""
    leased = lease_pages(world.db, BATCH)
    for one in leased:
        approval = find_approval(world.db, one.approval_id)
        if approval is None:
            continue
        failure = deliver(world.pagers, one, told_of(approval, one, link_to(world, approval)))
        if failure is None:
            page_taken(world.db, one)
        else:
            log.warning("page.failed", approval_id=one.approval_id, pager=one.pager, error=failure)
            page_failed(world.db, one, failure)
    return len(leased)


def deliver(pagers: Pagers, one: Page, told: Told) -> str | None:
    """None if the pager has it, else why not."""
    return pagers.tell(one.pager, told)


def told_of(approval: Approval, one: Page, link: str | None) -> Told:
    """No argument but those in the summary, and of them none that the policy hides. Pure."""
    return Told(
        event=one.event,
        key=one.key,
        approval=approval.id,
        agent=approval.agent,
        tool=approval.tool,
        summary=summary_of(approval),
        risk=approval.rule.risk,
        until=approval.expires_at,
        link=link,
    )


def link_to(world: World, approval: Approval) -> str | None:
    """To the first card that has buttons; none where Slack does not say."""
    found = shown_at(world.db, approval.id)
    return permalink(world.messenger, *found) if found else None


def permalink(messenger: Messenger, channel_id: str, ts: str) -> str | None:
    """Slack's own address of a message."""
    link = messenger.permalink(channel_id, ts)
    return link if isinstance(link, str) else None

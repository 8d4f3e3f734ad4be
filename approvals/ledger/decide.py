"""A person's say, from whatever door: one transaction that locks, asks the rules, saves, and audits."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from approvals.failpoints import Commit
from approvals.ledger.audit import Actor, record_event, record_move
from approvals.ledger.certain import certainly
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.edit import revise
from approvals.ledger.expire import expired_by_now
from approvals.ledger.move import NOW, move
from approvals.ledger.posts import call_under_cards
from approvals.ledger.rows import lock_approval, state_of, votes_on
from approvals.ledger.run_status import reopen
from approvals.records import Approval, ApprovalKey
from approvals.rules.answer import is_answer
from approvals.rules.digest import rule_hash
from approvals.rules.may_decide import Person, Standing, Why, may_decide
from approvals.rules.tally import approvals_in
from approvals.rules.transitions import Verb, arrow
from approvals.rules.words import DecisionType, Door, Effect, Say, Status

VERB = {
    Say.APPROVE: Verb.APPROVE,
    Say.EDIT: Verb.EDIT,
    Say.REJECT: Verb.REJECT,
    Say.RESPOND: Verb.RESPOND,
    Say.IT_HAPPENED: Verb.IT_HAPPENED,
    Say.IT_DID_NOT_HAPPEN: Verb.IT_DID_NOT_HAPPEN,
    Say.RUN_AGAIN: Verb.RUN_AGAIN,
}
OFFERED_BY_RULE = {say: DecisionType(say.value) for say in (Say.APPROVE, Say.EDIT, Say.REJECT, Say.RESPOND)}
LETS_IT_RUN = {Say.APPROVE, Say.EDIT, Say.RUN_AGAIN}
NOTE_LIMIT = 3000
# An answer is the tool's result: Slack's longest message is not cut.
RESPONSE_LIMIT = 40_000


class Because(StrEnum):
    """Why a say was not recorded."""

    NO_SUCH_APPROVAL = "no_such_approval"
    OLDER_CARD = "older_card"
    CLOSED = "closed"
    NOT_OFFERED = "not_offered"
    NOT_ALLOWED = "not_allowed"
    NOT_SHOWN_WHOLE = "not_shown_whole"
    OTHER_RULE = "other_rule"
    NO_WORDS = "no_words"
    NOT_THE_FORM = "not_the_form"


@dataclass(frozen=True, slots=True)
class Decided:
    """The say decided it; the run can go on."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Counted:
    """The say is recorded and more are needed."""

    approval: Approval
    have: int
    need: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was recorded but the attempt. `approval` is the row as it stands, if there is one."""

    because: Because
    approval: Approval | None = None
    why: Why | None = None


Outcome = Decided | Counted | Refused


@dataclass(frozen=True, slots=True)
class Edited:
    """Other arguments, as canonical JSON, and the hash of the rule that the policy has for them now."""

    args_json: str
    rule_hash: str


def decide(
    db: Database,
    key: ApprovalKey,
    say: Say,
    person: Person,
    door: Door,
    note: str | None = None,
    *,
    edited: Edited | None = None,
    shown_whole: bool = True,
) -> Outcome:
    """Record one person's say about one approval, at the revision and attempt they were looking at. A door
    that could not show the whole call says so, and then nobody lets it run through that door. `note` is the
    reason or the answer; `edited` comes with an edit and with nothing else."""
    if (say is Say.EDIT) != (edited is not None):
        raise ValueError("An edit needs arguments, and nothing else takes any.")
    saying = Saying(key, say, clean(say, note), edited, shown_whole)
    return certainly(db, Commit.DECIDE, lambda tx: find_and_say(db, tx, saying, person, door))


@dataclass(frozen=True, slots=True)
class Saying:
    """What one person says, and about what."""

    key: ApprovalKey
    say: Say
    note: str | None = None
    edited: Edited | None = None
    shown_whole: bool = True


def find_and_say(db: Database, tx: Tx, saying: Saying, person: Person, door: Door) -> Outcome:
    """Lock the approval that the say is about, as it is by now, and have it said."""
    approval = lock_approval(tx, storable(saying.key.id))
    if approval is None:
        actor, named = Actor(person.user_id, door), storable(saying.key.id[:64])
        record_event(tx, "refused", actor, approval_id=named, say=saying.say, because=Because.NO_SUCH_APPROVAL)
        return Refused(Because.NO_SUCH_APPROVAL)
    return say_on(db, tx, expired_by_now(db, tx, approval), saying, person, door)


def say_on(db: Database, tx: Tx, approval: Approval, saying: Saying, person: Person, door: Door) -> Outcome:
    """The say about an approval that is locked in `tx`, for verbs that do something beside it."""
    actor = Actor(person.user_id, door)
    refusal = refuse(approval, saying, person)
    if refusal is not None:
        told = {"say": saying.say, "because": refusal.because, "why": refusal.why}
        record_move(db, tx, "refused", actor, approval, to=None, **told)
        return refusal
    return save(db, tx, approval, saying, actor)


def refuse(approval: Approval, saying: Saying, person: Person) -> Refused | None:
    """The first reason against recording this say, or None. Pure."""
    refusal = refuse_say(approval, saying.key, saying.say, person)
    because = None if refusal else refuse_words(approval, saying)
    return Refused(because, approval) if because else refusal


def refuse_say(approval: Approval, key: ApprovalKey, say: Say, person: Person) -> Refused | None:
    """The first reason against it whatever comes with it, or None. Pure."""
    if person.standing is not Standing.MEMBER:
        why = may_decide(approval.rule_now, approval.requesters, person, lets_it_run=False)
        return Refused(Because.NOT_ALLOWED, approval, why)
    if (key.revision, key.attempt) != (approval.revision, approval.attempt):
        return Refused(Because.OLDER_CARD, approval)
    if arrow(VERB[say], state_of(approval)) is None:
        return Refused(Because.CLOSED, approval)
    if say in OFFERED_BY_RULE and OFFERED_BY_RULE[say] not in approval.rule.decisions:
        return Refused(Because.NOT_OFFERED, approval)
    why = may_decide(approval.rule_now, approval.requesters, person, lets_it_run=say in LETS_IT_RUN)
    return Refused(Because.NOT_ALLOWED, approval, why) if why is not None else None


def refuse_words(approval: Approval, saying: Saying) -> Because | None:
    """Why what comes with the say cannot be taken. Other arguments must fall under the rule that people were
    held to: else an edit would carry a call past the rule that is meant for it."""
    if saying.say is Say.RESPOND and saying.note is None:
        return Because.NO_WORDS
    if saying.say is Say.RESPOND and not is_answer(approval.answer_schema, saying.note or ""):
        return Because.NOT_THE_FORM
    if saying.say in LETS_IT_RUN and not saying.shown_whole:
        return Because.NOT_SHOWN_WHOLE
    edited = saying.edited
    if edited and edited.args_json != approval.args_json and edited.rule_hash != rule_hash(approval.rule):
        return Because.OTHER_RULE
    return None


def save(db: Database, tx: Tx, approval: Approval, saying: Saying, actor: Actor) -> Outcome:
    """Write the vote, count, and move the approval as far as the votes carry it."""
    say, note = saying.say, saying.note
    if saying.edited is not None:
        # Sent as it was: a yes to the identical digest.
        say = Say.APPROVE
        if saying.edited.args_json != approval.args_json:
            approval = revise(db, tx, approval, actor, saying.edited.args_json)
    attempt = approval.attempt + (approval.effect is Effect.UNKNOWN)
    vote = DecisionType.APPROVE if say in LETS_IT_RUN else say
    # Of an answer only that it was given: its words are on the row.
    reason = None if say is Say.RESPOND else note
    tx.execute(
        "INSERT INTO votes (approval_id, revision, attempt, user_id, decision, reason)"
        " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (approval.id, approval.revision, attempt, actor.id, vote, reason),
    )
    if say in LETS_IT_RUN:
        votes = votes_on(tx, approval.id, approval.revision, attempt)
        have = approvals_in(votes)
        if have < approval.rule.quorum:
            return count(db, tx, approval, actor, have)
    audited = None if say is Say.RESPOND else note
    decided = move(db, tx, VERB[say], approval, actor, note=audited, **columns(approval, say, actor, note))
    reopen(tx, decided.run_id)
    return Decided(decided)


def count(db: Database, tx: Tx, approval: Approval, actor: Actor, have: int) -> Counted:
    """A yes short of the quorum: the others are called anew, because an edited card rings nobody's phone."""
    verb = Verb.VOTE if approval.status is Status.PENDING else Verb.VOTE_AGAIN
    counted = move(db, tx, verb, approval, actor)
    kind = "edit" if approval.revision > 1 and have == 1 and verb is Verb.VOTE else "vote"
    call_under_cards(tx, counted, kind=kind)
    return Counted(counted, have, approval.rule.quorum)


def columns(approval: Approval, say: Say, actor: Actor, note: str | None) -> dict[str, Any]:
    """What a deciding say writes beside status and effect."""
    match say:
        case Say.APPROVE:
            return {"decided_by": actor.id, "decided_at": NOW}
        case Say.REJECT:
            return {"decided_by": actor.id, "decided_at": NOW, "reason": note}
        case Say.RESPOND:
            return {"decided_by": actor.id, "decided_at": NOW, "response": note}
        case Say.IT_HAPPENED:
            return {"settled_by": actor.id, "effect_ended_at": NOW, "result": note or "It happened."}
        case Say.IT_DID_NOT_HAPPEN:
            return {"settled_by": actor.id, "effect_ended_at": NOW, "result": note}
        case Say.RUN_AGAIN:
            # Who asked for it is in the votes; `settled_by` is for a person who looked.
            return {"attempt": approval.attempt + 1, "effect_fence": None}
        case Say.EDIT:
            raise ValueError("An edit is saved as its author's yes to the new revision.")


def clean(say: Say, note: str | None) -> str | None:
    """What a person wrote, bounded, as text that Postgres can hold; blank is nothing."""
    text = (note or "").replace("\x00", "").strip()
    return storable(text[: RESPONSE_LIMIT if say is Say.RESPOND else NOTE_LIMIT]) or None

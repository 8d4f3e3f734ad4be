"""Everything that can happen to the calls of two runs, in any order, on the real ledger: a hypothesis state machine.
The stage is in `interleavings_stage.py`; what must hold after every step in `interleavings_oracle.py`."""

from contextlib import suppress

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from approvals.ledger.ask_again import Reopened, ask_again
from approvals.ledger.cards import card_shown, lease_card
from approvals.ledger.decide import Edited, decide
from approvals.ledger.deliver import mark_delivered, mark_handed, next_message
from approvals.ledger.due import Nudge
from approvals.ledger.expire import expire_due
from approvals.ledger.extend import extend
from approvals.ledger.finish import finish
from approvals.ledger.freeze import find_freeze, freeze, unfreeze
from approvals.ledger.nudge import nudge_due
from approvals.ledger.open_approval import open_approval
from approvals.ledger.run_status import set_status
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.tenure import FenceRaised
from approvals.ledger.work import has_work, runs_to_wake
from approvals.records import RunId
from approvals.rules.digest import rule_hash
from approvals.rules.may_decide import Person
from approvals.rules.transitions import CLEARED, STARTED, WAITING, Verb
from approvals.rules.words import Door, RunStatus, Say
from tests.approvals.ledger.world import ANA, BO, CY, DEE, GUS, NUMBERS
from tests.faults.interleavings_oracle import Done, lost
from tests.faults.interleavings_stage import Play

PEOPLE = (ANA, BO, CY, DEE, GUS)
SAYS = [say for say in Say if say is not Say.EDIT]
MOST_CALLS = 8


class Interleavings(Play):
    """What people, time, workers and deploys do."""

    @initialize(quorum=st.sampled_from((1, 2)))
    def two_runs_with_two_calls_each(self, quorum: int) -> None:
        self.quorum = quorum
        for _ in range(2):
            run = self.world.run()
            self.runs[run.id] = run
            self.ask(run)
            self.ask(run)
            set_status(self.db, run, RunStatus.WAITING)

    # People.

    @rule(number=st.integers(0, 5), say=st.sampled_from(SAYS), person=st.sampled_from(PEOPLE))
    def somebody_clicks(self, number: int, say: Say, person: Person) -> None:
        approval = self.call(number)
        self.seen.append(approval.key)
        decide(self.db, approval.key, say, person, Door.CARD, "because")
        self.wake(approval.run_id)

    @rule(number=st.integers(0, 5), people=st.sampled_from(((BO,), (CY,), (BO, CY))))
    def approvers_say_yes(self, number: int, people: tuple[Person, ...]) -> None:
        waiting = self.those_at(WAITING)
        for person in people if waiting else ():
            decide(self.db, waiting[number % len(waiting)].key, Say.APPROVE, person, Door.CARD)

    @rule(number=st.integers(0, 20), say=st.sampled_from(SAYS), person=st.sampled_from(PEOPLE))
    def somebody_clicks_on_an_older_card(self, number: int, say: Say, person: Person) -> None:
        decide(self.db, self.seen[number % len(self.seen)], say, person, Door.CARD, "because")

    @rule(number=st.integers(0, 5), person=st.sampled_from(PEOPLE), service=st.sampled_from(("checkout", "search")))
    def somebody_edits(self, number: int, person: Person, service: str) -> None:
        approval = self.call(number)
        edited = Edited(f'{{"service":"{service}"}}', rule_hash(approval.rule))
        decide(self.db, approval.key, Say.EDIT, person, Door.MODAL, edited=edited)
        self.wake(approval.run_id)

    @rule(number=st.integers(0, 1), person=st.sampled_from(PEOPLE), text=st.sampled_from(("approve", "roll back")))
    def somebody_replies(self, number: int, person: Person, text: str) -> None:
        run = self.run(number)
        ts = f"{next(NUMBERS)}.0"
        self.said.append(NewMessage(run.team_id, run.channel_id, run.thread_ts, ts, person.user_id, text))
        self.deliver(self.said[-1], person)

    @precondition(lambda self: self.said)
    @rule(number=st.integers(0, 20))
    def slack_delivers_a_message_again(self, number: int) -> None:
        message = self.said[number % len(self.said)]
        self.deliver(message, next(p for p in PEOPLE if p.user_id == message.author_id))

    @rule(number=st.integers(0, 5), person=st.sampled_from(PEOPLE))
    def somebody_gives_more_time(self, number: int, person: Person) -> None:
        extend(self.db, self.call(number).key, person, Door.CARD)

    @rule(number=st.integers(0, 5), person=st.sampled_from(PEOPLE))
    def somebody_has_it_asked_again(self, number: int, person: Person) -> None:
        again = ask_again(self.db, self.call(number).id, person, Door.CARD)
        if isinstance(again, Reopened):
            self.calls.append(again.approval)

    @rule(stop=st.sampled_from((True, False, False, False)))
    def somebody_freezes_or_unfreezes(self, stop: bool) -> None:
        if stop:
            freeze(self.db, BO, "stop", Door.SLACK_COMMAND)
        else:
            unfreeze(self.db, BO, Door.SLACK_COMMAND)

    # Time.

    @rule(number=st.integers(0, 5), swept=st.booleans())
    def time_is_up(self, number: int, swept: bool) -> None:
        self.world.age(self.calls[number % len(self.calls)])
        if swept:
            expire_due(self.db)

    @rule(number=st.integers(0, 5), kind=st.sampled_from(Nudge))
    def the_clock_calls_people(self, number: int, kind: Nudge) -> None:
        change = "UPDATE due SET at = now() WHERE approval_id = %s AND kind = %s AND done_at IS NULL"
        self.world.sql(change, self.call(number).id, kind)
        nudge_due(self.db)

    @rule()
    def the_clock_sweeps(self) -> None:
        expire_due(self.db)
        self.redis += [run_id for run_id in runs_to_wake(self.db) if run_id in self.runs]

    @rule()
    def redis_is_wiped(self) -> None:
        self.redis.clear()

    @rule(times=st.integers(1, 3))
    def wakeups_come_several_times(self, times: int) -> None:
        self.redis += self.redis[:times]

    @rule(number=st.integers(0, 5))
    def the_card_is_written(self, number: int) -> None:
        approval = self.call(number)
        card = lease_card(self.db, approval.id)
        if card is not None:
            card_shown(self.db, card, card.ts or f"{next(NUMBERS)}.1", self.world.now(approval).version)

    # Workers. What they hold of a run is its fence; an older one is that of a process which was frozen.

    @precondition(lambda self: self.redis)
    @rule()
    def a_worker_takes_a_wakeup(self) -> None:
        run_id = self.redis.pop(0)
        if has_work(self.db, run_id):
            self.begin(run_id)

    @rule(number=st.integers(0, 5))
    def a_worker_claims_whatever_it_meets(self, number: int) -> None:
        approval = self.call(number)
        self.claim(approval, self.runs[approval.run_id].fence)

    @rule(times=st.integers(1, 2))
    def a_worker_claims_what_is_cleared(self, times: int) -> None:
        for approval in self.those_at(CLEARED)[:1] * times:
            self.claim(approval, self.runs[approval.run_id].fence)

    @rule()
    def a_worker_finds_what_another_began(self) -> None:
        for approval in self.those_at(STARTED)[:1]:
            self.runs[approval.run_id] = self.world.next_tenure(approval.run_id)
            self.claim(approval, self.runs[approval.run_id].fence)

    @rule(number=st.integers(0, 5))
    def a_worker_that_lost_the_run_claims(self, number: int) -> None:
        approval = self.call(number)
        with suppress(FenceRaised):
            self.claim(approval, self.runs[approval.run_id].fence - 1)
            raise AssertionError("a worker that lost the run was let in")

    @precondition(lambda self: any(not hand.acted for hand in self.hands))
    @rule()
    def a_tool_runs(self) -> None:
        hand = next(hand for hand in self.hands if not hand.acted)
        hand.acted = True
        row = hand.claimed
        self.effects.append(Done(row.id, row.attempt, row.revision, self.tool_hash, row.args_json))

    @precondition(lambda self: any(hand.acted for hand in self.hands))
    @rule(verb=st.sampled_from((Verb.FINISH, Verb.FAIL)))
    def a_tool_reports(self, verb: Verb) -> None:
        hand = next(hand for hand in self.hands if hand.acted)
        self.hands.remove(hand)
        with suppress(FenceRaised):
            finish(self.db, hand.claimed, verb, result="restarted")

    @rule()
    def every_worker_is_killed(self) -> None:
        self.hands.clear()

    @rule(number=st.integers(0, 1), asks=st.sampled_from(("nothing", "a call", "a question")))
    def an_agent_goes_on(self, number: int, asks: str) -> None:
        run = self.run(number)
        self.hear_what_came_of_it(run)
        waits = any(a.run_id == run.id and a.applied_at is None for a in map(self.world.now, self.calls))
        while not waits and (message := next_message(self.db, run)):
            mark_handed(self.db, run, message)
            mark_delivered(self.db, run, message)
        if asks != "nothing" and len(self.calls) < MOST_CALLS:
            self.ask(run, rule=self.policy(question=asks == "a question"))
        set_status(self.db, run, RunStatus.WAITING if waits or asks != "nothing" else RunStatus.DONE)

    @rule(number=st.integers(0, 1), person=st.sampled_from(PEOPLE))
    def the_agent_raises_and_people_have_it_tried_again(self, number: int, person: Person) -> None:
        self.fail_and_press(self.run(number), (person, ANA, ANA))

    @rule(number=st.integers(0, 5))
    def a_question_is_recorded_twice(self, number: int) -> None:
        old = self.call(number)
        run, same = self.runs[old.run_id], {"interrupt_id": old.interrupt_id, "tool_call_id": old.tool_call_id}
        assert open_approval(self.db, run, self.world.proposal(**same)) is None or old.round > 1

    @rule(release=st.sampled_from((("tool-1", 1), ("tool-1", 2), ("tool-2", 1))))
    def a_release_is_deployed(self, release: tuple[str, int]) -> None:
        self.hands.clear()
        self.tool_hash, self.quorum = release

    @rule(number=st.integers(0, 5))
    def a_mention_comes_twice(self, number: int) -> None:
        run, ts = self.run(number), f"{next(NUMBERS)}.0"
        message = NewMessage(run.team_id, run.channel_id, run.thread_ts, ts, ANA.user_id, "and again")
        assert [start_run(self.db, "oncall", message).fresh for _ in range(2)] == [True, False]

    @invariant()
    def nothing_is_wrong(self) -> None:
        if self.calls:
            self.check()

    def teardown(self) -> None:
        """Then it calms down: everything comes to its end or waits for people in sight."""
        if find_freeze(self.db):
            unfreeze(self.db, BO, Door.SLACK_COMMAND)
        self.hands.clear()
        for _ in range(8):
            for run_id in [r for r in runs_to_wake(self.db) if r in self.runs]:
                self.work(run_id)
        self.check(*lost(self.db, list(self.runs)))

    def work(self, run_id: RunId) -> None:
        """One tenure of a worker to whom nothing happens."""
        self.begin(run_id)
        for approval in [a for a in map(self.world.now, self.calls) if a.run_id == run_id]:
            self.claim(approval, self.runs[run_id].fence)
        while any(not hand.acted for hand in self.hands):
            self.a_tool_runs()
        while self.hands:
            self.a_tool_reports(Verb.FINISH)
        self.an_agent_goes_on(list(self.runs).index(run_id), "nothing")

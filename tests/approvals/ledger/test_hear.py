"""Replies in a run's thread: an answer to the one question that waits there, or a message for the agent."""

from approvals.ledger.decide import Decided
from approvals.ledger.hear import Answered, Choose, NoRun, TakenAlready, answer_with, hear
from approvals.ledger.start_run import NewMessage, Started
from approvals.records import Approval, Run
from approvals.rules.may_decide import Person
from approvals.rules.rule import REQUESTER, Approvers, Rule
from approvals.rules.words import DecisionType, Door, Say, Status
from tests.approvals.ledger.world import ANA, BO, CY, DEE, NUMBERS, World, a_rule


def question_rule() -> Rule:
    return a_rule(decisions=(DecisionType.RESPOND,), approvers=(Approvers(name=REQUESTER),))


def reply(run: Run, person: Person, text: str = "roll back") -> NewMessage:
    return NewMessage("T1", "C1", run.thread_ts, f"{next(NUMBERS)}.5", person.user_id, text)


def waiting(world: World, message: NewMessage) -> list[str]:
    rows = world.sql("SELECT text FROM messages WHERE ts = %s AND delivered_at IS NULL", message.ts)
    return [row["text"] for row in rows]


def run_of(world: World, approval: Approval) -> Run:
    run = world.sql("SELECT id FROM runs WHERE id = %s", approval.run_id)
    assert run
    return world.next_tenure(approval.run_id)


def test_a_reply_answers_the_one_question_and_is_no_message_beside_it(world: World) -> None:
    question = world.approval(rule=question_rule())
    message = reply(run_of(world, question), ANA)
    outcome = hear(world.db, message, ANA)
    assert isinstance(outcome, Answered)
    assert (world.now(question).status, world.now(question).response) == (Status.ANSWERED, "roll back")
    assert waiting(world, message) == []


def test_a_reply_that_slack_delivers_twice_answers_once_and_is_never_a_message(world: World) -> None:
    question = world.approval(rule=question_rule())
    message = reply(run_of(world, question), ANA)
    hear(world.db, message, ANA)
    again = hear(world.db, message, ANA)
    assert isinstance(again, Started)
    assert not again.fresh
    assert waiting(world, message) == []


def test_who_may_not_answer_speaks_to_the_agent(world: World) -> None:
    question = world.approval(rule=question_rule())
    message = reply(run_of(world, question), DEE, "I think so too")
    assert isinstance(hear(world.db, message, DEE), Started)
    assert world.now(question).status is Status.PENDING
    assert waiting(world, message) == ["I think so too"]


def test_text_never_decides_a_call_that_could_be_approved(world: World) -> None:
    for word in ("approve", "yes", "reject", "LGTM :+1:"):
        approval = world.approval()
        assert isinstance(hear(world.db, reply(run_of(world, approval), BO, word), BO), Started)
        assert world.now(approval).status is Status.PENDING


def test_an_overdue_question_is_not_answered(world: World) -> None:
    question = world.approval(rule=question_rule())
    world.age(question)
    assert isinstance(hear(world.db, reply(run_of(world, question), ANA), ANA), Started)


def test_of_several_questions_the_author_says_which(world: World) -> None:
    first = world.approval(rule=question_rule())
    run = run_of(world, first)
    second = world.approval(rule=question_rule(), run=run)
    message = reply(run, ANA, "blue")
    asked = hear(world.db, message, ANA)
    assert isinstance(asked, Choose)
    assert [q.id for q in asked.questions] == [first.id, second.id]
    assert waiting(world, message) == ["blue"]
    assert isinstance(answer_with(world.db, second.key, asked.message_id, ANA, Door.CARD), Decided)
    assert world.now(second).response == "blue"
    assert world.now(first).status is Status.PENDING
    assert waiting(world, message) == []


def test_a_message_answers_one_question_only_and_only_for_its_author(world: World) -> None:
    first = world.approval(rule=question_rule())
    run = run_of(world, first)
    second = world.approval(rule=question_rule(), run=run)
    asked = hear(world.db, reply(run, ANA, "blue"), ANA)
    assert isinstance(asked, Choose)
    assert answer_with(world.db, first.key, asked.message_id, CY, Door.CARD) == TakenAlready()
    answer_with(world.db, first.key, asked.message_id, ANA, Door.CARD)
    assert answer_with(world.db, second.key, asked.message_id, ANA, Door.CARD) == TakenAlready()


def test_where_no_agent_is_at_work_people_talk_among_themselves(world: World) -> None:
    nowhere = NewMessage("T1", "C1", "1.1", f"{next(NUMBERS)}.5", ANA.user_id, "lunch?")
    assert hear(world.db, nowhere, ANA) == NoRun()
    assert world.sql("SELECT 1 FROM messages WHERE ts = %s", nowhere.ts) == []


def test_a_reply_wakes_a_run_that_is_done(world: World) -> None:
    run = world.run()
    world.sql("UPDATE runs SET status = 'done' WHERE id = %s", run.id)
    heard = hear(world.db, reply(run, ANA, "and search?"), ANA)
    assert isinstance(heard, Started)
    assert heard.run.status == "queued"


def test_a_message_answers_no_question_of_another_run(world: World) -> None:
    first = world.approval(rule=question_rule())
    run = run_of(world, first)
    world.approval(rule=question_rule(), run=run)
    asked = hear(world.db, reply(run, ANA, "blue"), ANA)
    assert isinstance(asked, Choose)
    elsewhere = world.approval(rule=question_rule())
    assert answer_with(world.db, elsewhere.key, asked.message_id, ANA, Door.CARD) == TakenAlready()
    assert world.now(elsewhere).status is Status.PENDING


def test_who_answered_a_question_is_no_second_pair_of_eyes_for_what_follows(world: World) -> None:
    question = world.approval(rule=a_rule(decisions=(DecisionType.RESPOND,)))
    run = run_of(world, question)
    world.decide(world.now(question), Say.RESPOND, BO, "restart it")
    assert world.approval(run=run).requesters == (ANA.user_id, BO.user_id)

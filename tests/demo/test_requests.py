"""What the scripted model understands, and that it says what it is."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from approvals.ledger.ask_again import ONCE_MORE
from demo.model import SCRIPT, reply
from demo.provider import SCRIPTED, choose_model
from demo.requests import EXAMPLES, steps_for


def calls(request: str, *answers: str) -> list[tuple[str, dict[str, object]]]:
    return [call for step in steps_for(request, answers) or () for call in step.calls]


@pytest.mark.parametrize("request_text", EXAMPLES)
def test_every_example_that_is_offered_is_understood(request_text: str) -> None:
    assert steps_for(request_text, []) is not None


def test_trouble_is_looked_at_before_three_things_are_wanted() -> None:
    names = [name for name, _ in calls("checkout is throwing 500s, restart it in prod")]
    assert names == ["read_logs", "restart_service", "scale", "page_team", "ask_user"]


def test_a_request_without_its_environment_asks_for_it_first() -> None:
    assert [name for name, _ in calls("restart payments")] == ["ask_user"]
    assert calls("restart payments", "in Staging please")[-1] == (
        "restart_service",
        {"environment": "staging", "service": "payments"},
    )


def test_an_unclear_answer_about_the_environment_is_asked_about_again() -> None:
    names = [name for name, _ in calls("restart payments", "the big one")]
    assert names == ["ask_user", "ask_user"]
    assert [name for name, _ in calls("restart payments", "hm", "prod")] == ["ask_user", "ask_user", "restart_service"]


def test_a_call_that_is_asked_again_is_repeated_with_its_arguments() -> None:
    told = ONCE_MORE.format(
        tool="deploy", args='{"environment": "prod", "service": "checkout", "version": "4.11", "note": "{a} in time."}'
    )
    assert calls(told) == [
        ("deploy", {"environment": "prod", "service": "checkout", "version": "4.11", "note": "{a} in time."})
    ]


def test_words_for_numbers_environments_and_teams_are_understood() -> None:
    assert calls("scale search to five replicas in production")[-1][1] == {
        "environment": "prod",
        "service": "search",
        "replicas": 5,
    }
    assert calls("page the database team")[0][1]["team"] == "database"
    assert calls("roll checkout back to 4.11 in staging")[-1][1]["version"] == "4.11"


def test_what_it_does_not_understand_it_says_and_says_that_it_is_a_script() -> None:
    said = reply([HumanMessage("write me a poem")])
    assert not said.tool_calls
    assert SCRIPT in said.text
    assert EXAMPLES[0] in said.text


def test_it_goes_on_from_the_conversation_alone() -> None:
    begun = [HumanMessage("scale search to 4 in staging")]
    first = reply(begun)
    log = ToolMessage("a line", name="read_logs", tool_call_id=str(first.tool_calls[0]["id"]))
    second = reply([*begun, first, log])
    assert second.tool_calls[0]["name"] == "scale"
    done = ToolMessage("4/4 ready", name="scale", tool_call_id=str(second.tool_calls[0]["id"]))
    end = reply([*begun, first, log, second, done])
    assert isinstance(end, AIMessage)
    assert "`scale`: done. 4/4 ready" in end.text
    assert SCRIPT in end.text


def test_a_real_provider_needs_its_key_and_its_package() -> None:
    assert choose_model({}).model == SCRIPTED
    assert choose_model({}, "openai:gpt-5").model == "openai:gpt-5"
    keyed = choose_model({"ANTHROPIC_API_KEY": "x"})
    assert "ANTHROPIC_API_KEY" in keyed.sentence

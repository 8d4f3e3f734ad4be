"""Wrong agents and models: one clear line that names the key and the way on."""

from datetime import timedelta

import pytest

from approvals.config.values import AgentConfig
from approvals.ledger.database import Database
from tests.workers import agents
from tests.workers.bench import a_policy
from workers.agents.load import AgentUnusable, load_agent
from workers.agents.models import RETRIES, ModelUnusable, load_model
from workers.agents.providers import missing
from workers.checkpoints import Kept
from workers.gate import CountersignGate
from workers.question import Reach

WRONG = {
    "nowhere.to.be.found:build": "cannot be imported (ModuleNotFoundError",
    "tests.workers.agents:bild": "has no function 'bild'",
    "tests.workers.agents:no_graph": "returned str, not a compiled graph",
    "tests.workers.agents:model": "Give it the signature build(*, model, middleware, checkpointer).",
    "tests.workers.agents:raising": "raised ValueError: no kubeconfig",
    "tests.workers.agents:without_gate": "without the gate",
    "tests.workers.agents:with_own_hitl": "HumanInTheLoopMiddleware of its own",
    "tests.workers.agents:without_saver": "does not use the checkpointer",
}


@pytest.mark.parametrize("factory", WRONG)
def test_an_agent_that_cannot_be_countersigned_is_refused_at_load(database_url: str, factory: str) -> None:
    kept = Kept(database_url)
    try:
        with Database(database_url) as db:
            gate = CountersignGate(Reach(db, a_policy(), lambda _: 0))
            config = AgentConfig("ours", factory, "python:tests.workers.agents:model")
            with pytest.raises(AgentUnusable) as wrong:
                load_agent(config, agents.model(), gate, kept.saver)
    finally:
        kept.drop()
    line = str(wrong.value)
    assert line.startswith(f"agents.ours.factory: {factory}")
    assert WRONG[factory] in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nobody:nothing", 'LangChain knows no provider "nobody"'),
        ("mistralai:mistral-large", "needs a package that is not installed"),
        ("python:nowhere:build", "cannot be used (ModuleNotFoundError"),
        ("python:tests.workers.agents:build", "cannot be used (TypeError"),
        ("python:builtins:dict", "returned no LangChain chat model"),
    ],
)
def test_a_model_that_cannot_be_had_is_one_line(name: str, says: str) -> None:
    with pytest.raises(ModelUnusable) as wrong:
        load_model("ours", name)
    line = str(wrong.value)
    assert line.startswith("agents.ours.model: ")
    assert says in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("name", "key", "says"),
    [
        ("anthropic:claude-sonnet-5", "ANTHROPIC_API_KEY", "needs a key: set ANTHROPIC_API_KEY"),
        ("google_genai:gemini-3", "GOOGLE_API_KEY", "needs a key: set GOOGLE_API_KEY or GEMINI_API_KEY"),
    ],
)
def test_a_key_that_is_not_set_is_one_line(name: str, key: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelUnusable) as wrong:
        load_model("ours", name)
    assert str(wrong.value) == f'agents.ours.model: "{name}" {says} in the worker\'s environment.'
    monkeypatch.setenv(key, "k")
    assert load_model("ours", name)


ABSENT = "which is not installed where the worker runs (pip install"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "openai:gpt-5",
            f"needs the package langchain-openai, {ABSENT} langchain-openai); and it needs a key: set OPENAI",
        ),
        ("ollama:llama3", f"needs the package langchain-ollama, {ABSENT} langchain-ollama)."),
    ],
)
def test_a_package_that_is_not_there_is_named(name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.agents.providers.find_spec", lambda package: None)
    lack = missing("ours", name, {})
    assert lack is not None
    assert lack.startswith(f'agents.ours.model: "{name}" {says}')
    assert "\n" not in lack


def test_what_comes_some_other_way_is_not_missed() -> None:
    assert missing("a", "google_genai:gemini-3", {"GOOGLE_GENAI_USE_VERTEXAI": "true"}) is None
    assert missing("a", "anthropic:claude-sonnet-5", {"LANGSMITH_GATEWAY": "true"}) is None
    assert missing("a", "mistralai:large", {}) is None


def test_a_providers_calls_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    claude = load_model("a", "anthropic:claude-sonnet-5", timedelta(seconds=7))
    gemini = load_model("a", "google_genai:gemini-3")
    assert (getattr(claude, "default_request_timeout", None), getattr(claude, "max_retries", None)) == (7.0, RETRIES)
    assert (getattr(gemini, "timeout", None), getattr(gemini, "max_retries", None)) == (120.0, RETRIES)

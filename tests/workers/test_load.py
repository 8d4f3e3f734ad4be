"""Wrong agents and models: one clear line that names the key and the way on."""

import pytest

from approvals.config.values import AgentConfig
from approvals.ledger.database import Database
from tests.workers import agents
from tests.workers.bench import a_policy
from workers.agents.load import AgentUnusable, load_agent
from workers.agents.models import ModelUnusable, load_model
from workers.checkpoints import Kept
from workers.gate import CountersignGate
from workers.question import Reach

WRONG = {
    "nowhere.to.be.found:build": "cannot be imported (ModuleNotFoundError",
    "tests.workers.agents:bild": "has no function 'bild'",
    "tests.workers.agents:no_graph": "returned str, not a compiled graph",
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
        ("nobody:nothing", "cannot be used"),
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

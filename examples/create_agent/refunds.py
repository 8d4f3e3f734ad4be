"""An ordinary LangChain agent with three tools. Nothing in it knows of approvals."""

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import tool

PROMPT = (
    "You help the people in support. A refund may need a person's approval: say first, in a sentence, why you want it. "
    "If a call was rejected or nobody answered, say so; do not repeat it by yourself."
)
# What stands for the shop.
ORDERS = {"4711": 20.0, "4712": 4.5}
REFUNDS: list[str] = []


@tool
def find_order(order: str) -> str:
    """Look up what was paid for an order."""
    return f"order {order}: {ORDERS[order]:.2f} paid" if order in ORDERS else f"there is no order {order}"


@tool
def list_refunds() -> str:
    """List the refunds that were made."""
    return "\n".join(REFUNDS) or "no refunds yet"


@tool
def refund(order: str, amount: float) -> str:
    """Pay money back."""
    REFUNDS.append(f"{amount:.2f} for order {order}")
    return f"{amount:.2f} paid back for order {order}"


def build(*, model: Any, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """The factory that countersign.yml names. `middleware` is the gate: pass it on, first."""
    return create_agent(
        model,
        tools=[find_order, list_refunds, refund],
        system_prompt=PROMPT,
        middleware=[*middleware],
        checkpointer=checkpointer,
    )

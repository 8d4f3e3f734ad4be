"""A worker is asked to stop: nothing new is begun, and the agent is drained: LangGraph ends the step it is in,
saves it, and goes on with the rest in another process."""

from dataclasses import dataclass, field

from langgraph.runtime import RunControl


@dataclass(slots=True)
class Stopping:
    """One per process. Its flag is set from a signal handler, so it takes no lock."""

    asked: bool = False
    _control: RunControl = field(default_factory=RunControl)

    def ask(self) -> None:
        """Stop as soon as no effect is cut off by it."""
        self.asked = True
        self._control.request_drain()

    def control(self) -> RunControl:
        """For one push of an agent: LangGraph wants a fresh one each time."""
        self._control = RunControl()
        if self.asked:
            self._control.request_drain()
        return self._control

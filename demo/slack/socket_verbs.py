"""What Slack does to an app's sockets: switches the mode, warns, closes."""

from demo.slack.deliveries import Courier
from demo.slack.envelopes import GoodBye
from demo.slack.workspace import Workspace


class SocketVerbs:
    """Part of StandIn."""

    workspace: Workspace
    courier: Courier

    @property
    def socket_mode(self) -> bool:
        return self.workspace.socket_mode

    @socket_mode.setter
    def socket_mode(self, on: bool) -> None:
        with self.workspace.changed:
            self.workspace.socket_mode = on

    def sockets_open(self) -> int:
        """How many connections have been greeted and not closed."""
        return self.courier.sockets.count()

    def sockets_greeted(self) -> int:
        """How many connections there ever were: one more after each reconnect."""
        return self.courier.sockets.greeted

    def disconnect(self, reason: GoodBye = "refresh_requested") -> None:
        """Tell every connection to go; a client that obeys opens another. close_sockets() makes it so."""
        self.courier.sockets.warn(reason)

    def close_sockets(self, *, abruptly: bool = False) -> None:
        """Close every connection; `abruptly` cuts the wire without a word."""
        self.courier.sockets.close(abruptly=abruptly)

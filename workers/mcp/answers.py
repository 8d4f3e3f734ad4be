"""How asking an MCP server can end other than well. Each as text: half a sentence that says why, for people."""


class NotSent(Exception):
    """Nothing reached the server, or it refused before it did anything: what was asked for did not happen."""


class Refused(NotSent):
    """It came to the server's door and was not let in. Not to be sent again by itself."""


class NoAnswer(Exception):
    """It was sent, and no answer came: it may have happened, and may happen yet."""


class Answered(Exception):
    """The server answered with an error of its own, whose words these are."""


class NotReached(Exception):
    """There is no connection, and none could be made."""


class Changed(Exception):
    """The server has another tool of that name now, or none."""

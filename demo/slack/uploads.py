"""Where the bytes of an upload are sent: a URL that is its own permission."""

from demo.slack.files import fill
from demo.slack.server import Answer, Request
from demo.slack.workspace import Workspace


class Uploads:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def answer(self, request: Request) -> Answer:
        if fill(self._workspace, request.path.rsplit("/", 1)[-1], request.body):
            return Answer(200, f"OK - {len(request.body)}".encode())
        return Answer(400, b"This upload was not announced, or is of another length, or is there already.")

"""The same walk in Socket Mode: the bot has no address that Slack could call, and no signing secret."""

from io import StringIO

import pytest
from rich.console import Console

from demo.interactive import begin
from demo.script import answer, approve, ask, edit, hear_the_end, names, reject, stay_silent
from demo.transcript import Transcript
from demo.world import World, demo_world
from tests.walk.ages import time_is_up


def without_an_address(world: World) -> None:
    """As an operator sets it: the app's own token in place of the secret."""
    slack, environ = world.slack, dict(world.house.environ)
    slack.socket_mode = True
    del environ["SLACK_SIGNING_SECRET"]
    world.house.environ = environ | {"SLACK_APP_TOKEN": slack.installation.app_token}


@pytest.mark.timeout(180)
def test_the_walk_over_a_socket() -> None:
    with demo_world() as world:
        without_an_address(world)
        begin(world)
        walk = ask(world, Transcript(Console(file=StringIO()), names(world)))
        for chapter in (approve, edit, reject, answer):
            chapter(walk)
        walk.wait("the card to deploy", lambda: walk.card("Deploy checkout"))
        time_is_up(world, "deploy")
        stay_silent(walk)
        hear_the_end(walk)

        deliveries = world.slack.journal.deliveries()
        assert {"app_mention", "message", "block_actions", "view_submission"} <= {one.type for one in deliveries}
        assert {one.way for one in deliveries} == {"socket"}
        assert [one for one in deliveries if not one.ok] == []

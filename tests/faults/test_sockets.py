"""F42: Socket Mode is connected, and deaf."""

from approvals.rules.words import Status
from tests.faults.lab import Lab
from tests.faults.proxy import Proxy


def test_f42_a_connection_that_went_deaf_is_noticed_and_opened_anew(lab: Lab) -> None:
    approval = lab.waiting()
    slack = lab.world.slack
    assert slack.workspace.socket_address is not None
    with Proxy(slack.workspace.socket_address) as wire:
        slack.workspace.socket_address = wire.url
        slack.socket_mode = True
        lab.more["SLACK_APP_TOKEN"] = slack.installation.app_token
        lab.start_bot()
        wire.mute()
        lab.until(lambda: slack.sockets_greeted() == 2)
        lab.until(lambda: slack.sockets_open() == 1)
        (row,) = lab.sql("SELECT channel_id, ts FROM cards")
        assert slack.click(lab.world.people.bo, row["channel_id"], row["ts"], "reject").ok
    assert lab.again(approval).status is Status.REJECTED

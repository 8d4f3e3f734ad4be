"""A message that grows is seen growing, and then like any other."""

from collections.abc import Callable

from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from tests.demo.slack.conftest import Place


def test_a_stream_is_seen_to_grow_until_it_is_stopped(sit: Callable[..., Tab], place: Place) -> None:
    root = place.slack.say(place.ana, place.ops, "restart checkout")
    ts = place.client.chat_startStream(
        channel=place.ops,
        thread_ts=root,
        markdown_text="I will **look**",
        recipient_team_id=place.slack.workspace.team_id,
        recipient_user_id=place.ana,
    )["ts"]
    tab = sit("bo")
    tab.get_by_role("button", name="1 reply").click()
    growing = tab.locator(".message.streaming")
    expect(growing).to_contain_text("I will look")
    place.client.chat_appendStream(channel=place.ops, ts=str(ts), markdown_text=" at the logs")
    expect(growing).to_contain_text("I will look at the logs")
    place.client.chat_stopStream(channel=place.ops, ts=str(ts))
    expect(growing).to_have_count(0)
    expect(tab.get_by_text("at the logs")).to_be_visible()

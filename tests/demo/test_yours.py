"""A configuration of one's own in the demo: everybody and every place that it names is there."""

from pathlib import Path

from rich.text import Text

from approvals.config.load import load_config
from demo.slack.workspace import Workspace
from demo.world import page_for_yours, settle_in
from demo.yours import furnish, named_in, welcome_to
from workers.agents.fleet import Fleet

FILE = """\
agents:
  mine: {factory: "mine:build", model: "python:mine:model", channels: ["#platform", direct], people: [platform, staff]}
approvers:
  platform: {usergroup: platform-team}
  others: {usergroup: S07OTHERS}
  leads: {users: [U07LEAD, U07BOSS]}
  bosses: {users: [U07BOSS]}
  staff: {usergroup: staff}
freeze: [leads]
defaults:
  approvers: [platform]
  timeout: 30m
  escalate: {after: 10m, to: [leads], channel: "#incidents"}
tools:
  deploy: {approvers: [bosses, requester], route: C07PROD}
  pay: {approvers: [others], route: "#ops"}
reports:
  - {name: weekly, channel: "#reports", cron: "0 9 * * 1", timezone: Europe/Berlin}
"""


def test_whom_and_which_places_it_names(tmp_path: Path) -> None:
    (tmp_path / "countersign.yml").write_text(FILE)
    named = named_in(load_config(tmp_path / "countersign.yml"))
    assert set(named.groups) == {"platform-team", "S07OTHERS", "staff"}
    assert {user: set(sets) for user, sets in named.users.items()} == {
        "U07LEAD": {"leads"},
        "U07BOSS": {"leads", "bosses"},
    }
    assert set(named.channels) == {"#incidents", "C07PROD", "#ops", "#reports", "#platform"}


def test_all_of_them_are_there_and_can_be_played(tmp_path: Path) -> None:
    (tmp_path / "countersign.yml").write_text(FILE)
    config, workspace = load_config(tmp_path / "countersign.yml"), Workspace()
    people = settle_in(workspace)
    new = furnish(workspace, named_in(config), [people.bo, people.cy], [people.ana, people.bo, people.cy])
    groups = {group.handle: group for group in workspace.groups.values()}
    assert groups["platform-team"].members == (people.bo, people.cy)
    assert workspace.groups["S07OTHERS"].members == (people.bo, people.cy)
    channels = {channel.name: channel for channel in workspace.channels.values()}
    assert set(channels) == {"ops", "incidents", "reports", "c07prod", "platform"}
    assert {people.bo, "U07LEAD", "U07BOSS", workspace.app.user_id} <= channels["incidents"].members
    assert "C07PROD" in workspace.channels
    page = page_for_yours(config, people, Fleet(tmp_path / "fleet.jsonl"), new)
    roles = {workspace.users[one.user_id].real_name: one.role for one in page.people}
    assert roles["Bo"] == f"in {', '.join(named_in(config).groups)}"
    assert roles["Fay"] == "U07LEAD, in leads"
    assert roles["Gus"] == "U07BOSS, in leads, bosses"
    assert page.panel is None
    told = welcome_to(config, "http://x/", [("Fay", "U07LEAD, in leads")])
    for words in (
        "Fay is U07LEAD, in leads.",
        "It answers platform and staff",
        "Write in #platform or to Countersign directly:",
    ):
        assert words in told


TWO = """\
agents:
  first: {factory: "mine:build", model: "python:demo.by_hand:model", channels: ["#ops"], people: [leads]}
  second: {factory: "mine:build", model: "anthropic:claude", channels: ["#db"]}
approvers: {leads: {users: [U07LEAD]}}
defaults: {approvers: [leads]}
"""


def test_every_agent_is_named_with_where_and_what_to_write_and_what_is_down(tmp_path: Path) -> None:
    (tmp_path / "countersign.yml").write_text(TWO)
    config = load_config(tmp_path / "countersign.yml")
    told = Text.from_markup(welcome_to(config, "http://x/", [], ["agents.first.mcp.up: [down]."])).plain
    for words in (
        "Your agent first is running (python:demo.by_hand:model). It answers leads: become one of them. Write in #ops:",
        "@Countersign first: which tools?",
        "@Countersign first: TOOL name=value",
        "Your agent second is running (anthropic:claude). Write in #db:\n  @Countersign second: and what",
        "!! agents.first.mcp.up: [down].",
    ):
        assert words in told, told

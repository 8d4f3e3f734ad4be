"""All that a person does in Slack's client, in one: what the page needs of the stand-in."""

from demo.slack.home_verbs import HomeVerbs
from demo.slack.search_verbs import SearchVerbs
from demo.slack.shortcuts import Shortcuts


class Verbs(HomeVerbs, SearchVerbs, Shortcuts):
    """Part of StandIn."""

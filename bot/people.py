"""Who is this, asked of Slack when somebody decides; and how those who may decide are called."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import REQUESTER, Approvers
from bot.cards.words import Callers, who
from bot.messenger import RETRY_SECONDS, Later, Messenger, Never
from bot.replies import Identity, SlackUser, UserGroup

CACHE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Read:
    at: float
    groups: tuple[UserGroup, ...]


class People:
    """Looks people up in the workspace that the app is installed in. Safe to share between threads."""

    def __init__(self, messenger: Messenger) -> None:
        self._messenger = messenger
        self._lock = Lock()
        self._read: _Read | None = None
        # A name is for a line on a phone and decides nothing: it may be as old as the process.
        self._names: dict[str, str] = {}

    def look_up(self, user_id: str, team_id: str, groups: Iterable[str]) -> Person:
        """The person as Slack knows them now, and which of `groups` hold them. `team_id` is the person's own,
        as the payload gave it; empty if it gave none. What cannot be read allows nobody."""
        standing = self._standing(user_id, team_id)
        wanted = frozenset(groups)
        if standing is not Standing.MEMBER or not wanted:
            return Person(user_id, team_id, standing)
        known = self._groups()
        if isinstance(known, Later | Never):
            return Person(user_id, team_id, standing, unread_groups=wanted)
        found = {name: group for name in wanted if (group := _named(known, name)) is not None}
        return Person(
            user_id,
            team_id,
            standing,
            groups=frozenset(name for name, group in found.items() if user_id in group.members),
            unknown_groups=wanted - found.keys(),
        )

    def unknown_groups(self, groups: Iterable[str]) -> tuple[str, ...] | Later | Never:
        """Those of `groups` that Slack does not have."""
        known = self._groups()
        if isinstance(known, Later | Never):
            return known
        return tuple(sorted(name for name in set(groups) if _named(known, name) is None))

    def callers(self, approvers: Iterable[Approvers], requesters: Iterable[str]) -> Callers | Later:
        """Those who may decide, as tokens that ring their phones; Later if Slack cannot say just now."""
        approvers = tuple(approvers)
        known = self._groups() if any(one.usergroup for one in approvers) else ()
        if isinstance(known, Later):
            return known
        groups = () if isinstance(known, Never) else known
        tokens: list[str] = []
        unknown: list[str] = []
        for one in approvers:
            ids = tuple(requesters) if one.name == REQUESTER else one.users
            tokens += map(who, ids)
            if one.usergroup and (group := _named(groups, one.usergroup)):
                tokens.append(f"<!subteam^{group.id}>")
            elif one.usergroup:
                unknown.append(one.usergroup)
        return Callers(tuple(dict.fromkeys(tokens)), tuple(unknown))

    def deciders(self, approvers: Iterable[Approvers], requesters: Iterable[str]) -> tuple[str, ...] | Later:
        """The user ids of all members who are named, in groups or by themselves: those who could decide if they
        were asked. Later if Slack cannot say just now."""
        approvers = tuple(approvers)
        known = self._groups() if any(one.usergroup for one in approvers) else ()
        if isinstance(known, Later):
            return known
        groups = () if isinstance(known, Never) else known
        ids: list[str] = []
        for one in approvers:
            ids += tuple(requesters) if one.name == REQUESTER else one.users
            group = _named(groups, one.usergroup) if one.usergroup else None
            ids += sorted(group.members) if group else ()
        standings = {one: self._standing(one, "") for one in dict.fromkeys(ids)}
        if Standing.UNKNOWN in standings.values():
            return Later(RETRY_SECONDS, "who may decide could not be read")
        return tuple(one for one, standing in standings.items() if standing is Standing.MEMBER)

    def names(self, user_ids: Iterable[str]) -> Mapping[str, str]:
        """How people are called, for a line that must not ring them. Who cannot be read is left out."""
        return {one: name for one in user_ids if (name := self._name(one))}

    def _name(self, user_id: str) -> str | None:
        with self._lock:
            if user_id in self._names:
                return self._names[user_id]
        user = self._messenger.user(user_id)
        if not isinstance(user, SlackUser):
            return None
        with self._lock:
            self._names[user_id] = user.name
        return user.name

    def _standing(self, user_id: str, team_id: str) -> Standing:
        home = self._messenger.identity()
        if not isinstance(home, Identity):
            return Standing.UNKNOWN
        if team_id and team_id != home.team_id:
            return Standing.OUTSIDER
        user = self._messenger.user(user_id)
        return standing_of(user, home.team_id) if isinstance(user, SlackUser) else Standing.UNKNOWN

    def _groups(self) -> tuple[UserGroup, ...] | Later | Never:
        """Kept for a few seconds: Slack lets us ask twenty times a minute, and cards come in bursts."""
        with self._lock:
            if self._read is not None and time.monotonic() - self._read.at < CACHE_SECONDS:
                return self._read.groups
        groups = self._messenger.groups()
        if isinstance(groups, tuple):
            with self._lock:
                self._read = _Read(time.monotonic(), groups)
        return groups


def standing_of(user: SlackUser, home_team_id: str) -> Standing:
    """`deleted` first: for a deactivated person the other fields are missing. Missing is never taken for no."""
    if user.deleted:
        return Standing.DEACTIVATED
    if user.is_bot:
        return Standing.BOT
    if user.is_stranger or user.team_id != home_team_id:
        return Standing.OUTSIDER
    if user.is_guest is None:
        return Standing.UNKNOWN
    return Standing.GUEST if user.is_guest else Standing.MEMBER


def _named(groups: Iterable[UserGroup], name: str) -> UserGroup | None:
    """By id, or by handle with or without its @."""
    handle = name.removeprefix("@")
    return next((group for group in groups if name == group.id or handle == group.handle), None)

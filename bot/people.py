"""Who is this, asked of Slack when somebody decides; and how those who may decide are called."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import REQUESTER, Approvers
from bot.cards.words import Callers, who
from bot.messenger import RETRY_SECONDS, Later, Messenger, Never
from bot.on_call import NoAnswer, OnCall
from bot.replies import Identity, SlackUser, UserGroup

CACHE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Read:
    at: float
    groups: tuple[UserGroup, ...]


class People:
    """Looks people up in the workspace that the app is installed in. Safe to share between threads."""

    def __init__(self, messenger: Messenger, on_call: OnCall | None = None) -> None:
        self._messenger = messenger
        self._on_call = on_call or OnCall()
        self._lock = Lock()
        self._read: _Read | None = None
        # A name is for a line on a phone and decides nothing: it may be as old as the process.
        self._names: dict[str, str] = {}

    def look_up(self, user_id: str, team_id: str, groups: Iterable[str], lookups: Iterable[Approvers] = ()) -> Person:
        """The person as Slack knows them now, and which of `groups` and of `lookups` hold them. `team_id` is the
        person's own, as the payload gave it; empty if it gave none. What cannot be read allows nobody."""
        person = self._in_groups(user_id, team_id, groups)
        asked = lookups if person.standing is Standing.MEMBER else ()
        answers = {one.lookup or "": self._on_call.members(one) for one in asked}
        held = {url for url, found in answers.items() if not isinstance(found, NoAnswer) and user_id in found}
        unread = {url for url, found in answers.items() if isinstance(found, NoAnswer)}
        return replace(person, groups=person.groups | held, unread_groups=person.unread_groups | unread)

    def towards(self, who: tuple[str, str], approvers: Iterable[Approvers]) -> Person:
        """The person, by their id and their home, as they stand towards these sets of approvers."""
        listed = tuple(approvers)
        groups = [one.usergroup for one in listed if one.usergroup]
        return self.look_up(*who, groups, [one for one in listed if one.lookup])

    def _in_groups(self, user_id: str, team_id: str, groups: Iterable[str]) -> Person:
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
        unanswered: list[str] = []
        counts: dict[str, int] = {}
        for one in approvers:
            ids = tuple(requesters) if one.name == REQUESTER else one.users
            tokens += map(who, ids)
            if one.usergroup and (group := _named(groups, one.usergroup)):
                tokens.append(f"<!subteam^{group.id}>")
                counts[tokens[-1]] = len(group.members)
            elif one.usergroup:
                unknown.append(one.usergroup)
            on_call = self._on_call.members(one) if one.lookup else frozenset()
            unanswered += [one.name] if isinstance(on_call, NoAnswer) else []
            tokens += [] if isinstance(on_call, NoAnswer) else map(who, sorted(on_call))
        return Callers(tuple(dict.fromkeys(tokens)), tuple(unknown), unanswered=tuple(unanswered), counts=counts)

    def deciders(self, approvers: Iterable[Approvers], requesters: Iterable[str]) -> tuple[str, ...] | Later:
        """Of `named` those who are members: who could decide if they were asked. Later if Slack cannot say now."""
        ids = self.named(approvers, requesters)
        if isinstance(ids, Later):
            return ids
        standings = {one: self._standing(one, "") for one in ids}
        if Standing.UNKNOWN in standings.values():
            return Later(RETRY_SECONDS, "who may decide could not be read")
        return tuple(one for one, standing in standings.items() if standing is Standing.MEMBER)

    def named(self, approvers: Iterable[Approvers], requesters: Iterable[str]) -> tuple[str, ...] | Later:
        """The user ids of all who are named, in groups, on call or by themselves."""
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
            on_call = self._on_call.members(one) if one.lookup else frozenset()
            ids += [] if isinstance(on_call, NoAnswer) else sorted(on_call)
        return tuple(dict.fromkeys(ids))

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

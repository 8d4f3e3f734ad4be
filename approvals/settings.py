"""The environment -> one frozen object. Reads the variables named here and no others, no .env file, and
nothing of a model provider. Connects to nothing.

Each variable NAME may be given as NAME_FILE instead: a file whose content is the value.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

FILE_SUFFIX: Final = "_FILE"


class Need(StrEnum):
    """A variable that a process may not be able to start without. The others have defaults. Of the signing secret
    (HTTP) and the app token (Socket Mode) a process needs one; the app token, where it is given, is the one."""

    DATABASE_URL = "DATABASE_URL"
    REDIS_URL = "REDIS_URL"
    SLACK_BOT_TOKEN = "SLACK_BOT_TOKEN"
    SLACK_SIGNING_SECRET = "SLACK_SIGNING_SECRET"
    SLACK_APP_TOKEN = "SLACK_APP_TOKEN"


RELEASE_NEEDS: Final = frozenset({Need.DATABASE_URL})
WORKER_NEEDS: Final = frozenset({Need.DATABASE_URL, Need.REDIS_URL, Need.SLACK_BOT_TOKEN})
CLOCK_NEEDS: Final = WORKER_NEEDS
BOT_NEEDS: Final = WORKER_NEEDS | {Need.SLACK_SIGNING_SECRET}


class SettingsError(Exception):
    """The environment cannot be used. As text: one line, which never holds a secret."""


def _begins_with(*beginnings: str) -> Callable[[SecretStr], SecretStr]:
    def checked(secret: SecretStr) -> SecretStr:
        if not secret.get_secret_value().startswith(beginnings):
            raise ValueError(f"does not begin with {' or '.join(beginnings)}")
        return secret

    return checked


def _port(text: object) -> object:
    if isinstance(text, str) and not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= 65_535):
        raise ValueError("is not a whole number from 1 to 65535")
    return text


def _log_format(text: object) -> object:
    if text not in ("console", "json"):
        raise ValueError("is neither console nor json")
    return text


def _api_url(text: str) -> str:
    if not text.startswith(("https://", "http://")):
        raise ValueError("does not begin with https:// or http://")
    return text if text.endswith("/") else f"{text}/"


class Settings(BaseSettings):
    """A description completes "set it to …". A variable that the process does not need is an empty secret."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, validate_default=False)

    database_url: Annotated[SecretStr, AfterValidator(_begins_with("postgresql://", "postgres://"))] = Field(
        default=SecretStr(""),
        description="the address of the PostgreSQL database",
        examples=["postgresql://countersign:PASSWORD@localhost:5432/countersign"],
    )
    redis_url: Annotated[SecretStr, AfterValidator(_begins_with("redis://", "rediss://", "unix://"))] = Field(
        default=SecretStr(""),
        description="the address of the Redis server",
        examples=["redis://localhost:6379/0"],
    )
    slack_bot_token: Annotated[SecretStr, AfterValidator(_begins_with("xoxb-"))] = Field(
        default=SecretStr(""),
        description='the bot token on the page "OAuth & Permissions" of the Slack app',
        examples=["xoxb-1234-5678-abcd"],
    )
    slack_signing_secret: SecretStr = Field(
        default=SecretStr(""),
        description='the signing secret on the page "Basic Information" of the Slack app',
        examples=["8f742231b10e8888abcd99yyyzzz85a5"],
    )
    slack_app_token: Annotated[SecretStr, AfterValidator(_begins_with("xapp-"))] = Field(
        default=SecretStr(""),
        description='the app-level token with the scope connections:write on the page "Basic Information" of the '
        "Slack app (it turns Socket Mode on)",
        examples=["xapp-1-A1234-5678-abcd"],
    )
    slack_api_url: Annotated[str, AfterValidator(_api_url)] = Field(
        default="https://slack.com/api/",
        description="the address of Slack's Web API or of a stand-in",
        examples=["https://slack.com/api/"],
    )
    port: Annotated[int, BeforeValidator(_port)] = Field(
        default=3000, description="the port the bot listens on", examples=["3000"]
    )
    countersign_config: Path = Field(
        default=Path("countersign.yml"),
        description="the path of the configuration file",
        examples=["countersign.yml"],
    )
    log_format: Annotated[Literal["console", "json"], BeforeValidator(_log_format)] = Field(
        default="console", description="console or json", examples=["json"]
    )

    @property
    def socket_mode(self) -> bool:
        """Whether Slack is listened to over a connection of our own."""
        return bool(self.slack_app_token.get_secret_value())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # The environment is an argument of `load_settings`, never the process's own behind our back.
        return (init_settings,)


_OPTIONAL: Final = ("SLACK_API_URL", "PORT", "COUNTERSIGN_CONFIG", "LOG_FORMAT")


def load_settings(environ: Mapping[str, str], needs: frozenset[Need]) -> Settings:
    """Reads what `needs` names and the optional variables; raises SettingsError."""
    values: dict[str, str] = {}
    wrong: dict[str, str] = {}
    if Need.SLACK_SIGNING_SECRET in needs and (
        _given(environ, Need.SLACK_APP_TOKEN) or _given_file(environ, Need.SLACK_APP_TOKEN)
    ):
        needs = needs - {Need.SLACK_SIGNING_SECRET} | {Need.SLACK_APP_TOKEN}
    for name in (*(need for need in Need if need in needs), *_OPTIONAL):
        try:
            value = _value(environ, name)
        except _UnreadableError as error:
            wrong[name] = str(error)
            continue
        if value:
            values[name.lower()] = value
        elif name not in _OPTIONAL:
            wrong[name] = _with_way_on(name, "is missing")
    return _settings(values, wrong)


def load_secrets(environ: Mapping[str, str], names: Iterable[str]) -> Mapping[str, SecretStr]:
    """The secrets whose variables the configuration names; raises SettingsError for the first that is not there."""
    found: dict[str, SecretStr] = {}
    for name in sorted(names):
        try:
            value = _value(environ, name, "the secret that countersign.yml names")
        except _UnreadableError as error:
            raise SettingsError(str(error)) from None
        if not value:
            raise SettingsError(
                f"{name} is missing; countersign.yml names it as the variable of a secret, so set it, "
                f"or set {name}{FILE_SUFFIX} to the path of a file that holds it."
            )
        found[name] = SecretStr(value)
    return found


class _UnreadableError(Exception):
    """A variable is given in a way that cannot be followed."""


def _given(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").strip()


def _given_file(environ: Mapping[str, str], name: str) -> str:
    return _given(environ, name + FILE_SUFFIX)


def _value(environ: Mapping[str, str], name: str, described: str | None = None) -> str:
    """The empty text if it is not given."""
    direct, path = _given(environ, name), _given_file(environ, name)
    if direct and path:
        raise _UnreadableError(
            f"{name} and {name}{FILE_SUFFIX} are both set; keep one of them. "
            f"{name} is {described or _described(name)}; {name}{FILE_SUFFIX} is the path of a file that holds it."
        )
    return _from_file(name, path, described) if path else direct


def _from_file(name: str, path: str, described: str | None) -> str:
    # The path is not repeated in a message: somebody may have put the secret itself there.
    try:
        text = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise _UnreadableError(_about_file(name, f"cannot be read ({error.strerror})", described)) from None
    except ValueError:
        raise _UnreadableError(_about_file(name, "cannot be read (it is not a text file)", described)) from None
    if not text:
        raise _UnreadableError(_about_file(name, "is empty", described))
    if len(text.splitlines()) > 1:
        raise _UnreadableError(_about_file(name, "has more than one line", described))
    return text


def _settings(values: dict[str, str], wrong: dict[str, str]) -> Settings:
    malformed: dict[str, str] = {}
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        for details in error.errors(include_url=False, include_input=False):
            name = str(details["loc"][0]).upper()
            malformed[name] = _with_way_on(name, str(details["ctx"]["error"]))
    if malformed or wrong:
        # Outside the `except`: the chained error of pydantic could show what was given.
        raise SettingsError(_one_line(wrong | malformed))
    return settings


def _one_line(wrong: Mapping[str, str]) -> str:
    first, *others = sorted(wrong, key=(*Need, *_OPTIONAL).index)
    return f"{wrong[first]} (and {len(others)} more: {', '.join(others)})" if others else wrong[first]


def _with_way_on(name: str, what_is_wrong: str) -> str:
    return (
        f"{name} {what_is_wrong}; set it to {_described(name)}, "
        f"or set {name}{FILE_SUFFIX} to the path of a file that holds it."
    )


def _about_file(name: str, what_is_wrong: str, described: str | None) -> str:
    return (
        f"The file that {name}{FILE_SUFFIX} names {what_is_wrong}; write {described or _described(name)} into it "
        f"and make it readable for this process, or set {name} instead."
    )


def _described(name: str) -> str:
    field = Settings.model_fields[name.lower()]
    return f"{field.description}, for example {(field.examples or [''])[0]}"

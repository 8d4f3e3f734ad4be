import os
import subprocess
import sys
from pathlib import Path

import pytest

from approvals.settings import (
    BOT_NEEDS,
    CLOCK_NEEDS,
    RELEASE_NEEDS,
    WORKER_NEEDS,
    Need,
    SettingsError,
    load_secrets,
    load_settings,
)

DATABASE = "postgresql://countersign:hunter2@db:5432/countersign"
COMPLETE = {
    "DATABASE_URL": DATABASE,
    "REDIS_URL": "redis://:hunter2@redis:6379/0",
    "SLACK_BOT_TOKEN": "xoxb-hunter2",
    "SLACK_SIGNING_SECRET": "hunter2",
}


def the_line(environ: dict[str, str], needs: frozenset[Need] = BOT_NEEDS) -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(environ, needs)
    line = str(caught.value)
    assert "\n" not in line
    assert "hunter2" not in line
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return line


def test_a_complete_environment_is_read() -> None:
    settings = load_settings(COMPLETE, BOT_NEEDS)
    assert settings.database_url.get_secret_value() == DATABASE
    assert settings.slack_signing_secret.get_secret_value() == "hunter2"


def test_what_is_optional_has_a_default() -> None:
    settings = load_settings(COMPLETE, BOT_NEEDS)
    assert settings.slack_api_url == "https://slack.com/api/"
    assert settings.port == 3000
    assert settings.countersign_config == Path("countersign.yml")
    assert settings.log_format == "console"


def test_what_is_optional_can_be_set() -> None:
    own = {"SLACK_API_URL": "http://localhost:9/api", "PORT": "8080", "COUNTERSIGN_CONFIG": "/etc/c.yml"}
    settings = load_settings({**COMPLETE, **own, "LOG_FORMAT": "json"}, BOT_NEEDS)
    assert settings.slack_api_url == "http://localhost:9/api/"
    assert settings.port == 8080
    assert settings.countersign_config == Path("/etc/c.yml")
    assert settings.log_format == "json"


def test_no_secret_is_ever_printed() -> None:
    settings = load_settings(COMPLETE, BOT_NEEDS)
    assert "hunter2" not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"


def test_settings_cannot_be_changed() -> None:
    settings = load_settings(COMPLETE, BOT_NEEDS)
    with pytest.raises(ValueError, match="frozen"):
        settings.port = 1


@pytest.mark.parametrize(
    ("needs", "names"),
    [
        (RELEASE_NEEDS, ["DATABASE_URL"]),
        (WORKER_NEEDS, ["DATABASE_URL", "REDIS_URL", "SLACK_BOT_TOKEN"]),
        (CLOCK_NEEDS, ["DATABASE_URL", "REDIS_URL", "SLACK_BOT_TOKEN"]),
        (BOT_NEEDS, ["DATABASE_URL", "REDIS_URL", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"]),
    ],
)
def test_each_process_needs_its_own_variables_and_no_more(needs: frozenset[Need], names: list[str]) -> None:
    load_settings({name: COMPLETE[name] for name in names}, needs)
    for missing in names:
        line = the_line({name: COMPLETE[name] for name in names if name != missing}, needs)
        assert line.startswith(f"{missing} is missing; set it to ")


def test_a_process_does_not_hold_what_it_does_not_need() -> None:
    settings = load_settings({**COMPLETE, "SLACK_BOT_TOKEN": "malformed"}, RELEASE_NEEDS)
    assert settings.slack_bot_token.get_secret_value() == ""


@pytest.mark.parametrize("empty", ["", "   ", "\n"])
def test_an_empty_variable_is_missing(empty: str) -> None:
    assert the_line({**COMPLETE, "REDIS_URL": empty}).startswith("REDIS_URL is missing; ")


def test_several_wrong_variables_are_one_line_that_names_them_all() -> None:
    line = the_line({"PORT": "none"})
    assert line.startswith("DATABASE_URL is missing; ")
    assert line.endswith(" (and 4 more: REDIS_URL, SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, PORT)")


def test_a_line_has_an_example_and_the_way_on() -> None:
    assert the_line({**COMPLETE, "DATABASE_URL": "mysql://u:hunter2@db"}) == (
        "DATABASE_URL does not begin with postgresql:// or postgres://; set it to the address of the PostgreSQL "
        "database, for example postgresql://countersign:PASSWORD@localhost:5432/countersign, "
        "or set DATABASE_URL_FILE to the path of a file that holds it."
    )


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("DATABASE_URL", "hunter2", "does not begin with postgresql:// or postgres://"),
        ("DATABASE_URL", "postgresql+psycopg://u:hunter2@db/x", "does not begin with postgresql:// or postgres://"),
        ("REDIS_URL", "http://:hunter2@redis", "does not begin with redis:// or rediss:// or unix://"),
        ("SLACK_BOT_TOKEN", "xoxp-hunter2", "does not begin with xoxb-"),
        ("SLACK_API_URL", "slack.com/api", "does not begin with https:// or http://"),
        ("PORT", "0", "is not a whole number from 1 to 65535"),
        ("PORT", "65536", "is not a whole number from 1 to 65535"),
        ("PORT", "-1", "is not a whole number from 1 to 65535"),
        ("PORT", "3000.0", "is not a whole number from 1 to 65535"),
        ("PORT", "tcp://10.0.0.1:3000", "is not a whole number from 1 to 65535"),
        ("PORT", "9" * 5_000, "is not a whole number from 1 to 65535"),
        ("LOG_FORMAT", "JSON", "is neither console nor json"),
    ],
)
def test_a_malformed_variable_is_named(name: str, value: str, complaint: str) -> None:
    assert the_line({**COMPLETE, name: value}).startswith(f"{name} {complaint}; set it to ")


@pytest.mark.parametrize("url", ["postgres://db/x", "postgresql:///x?host=/run/postgresql"])
def test_both_spellings_of_a_postgres_address_are_read(url: str) -> None:
    assert load_settings({"DATABASE_URL": url}, RELEASE_NEEDS).database_url.get_secret_value() == url


def without(name: str) -> dict[str, str]:
    return {other: value for other, value in COMPLETE.items() if other != name}


@pytest.mark.parametrize("name", sorted(COMPLETE))
def test_every_secret_can_come_from_a_file(name: str, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(f"  {COMPLETE[name]}\n")
    settings = load_settings({**without(name), f"{name}_FILE": str(file)}, BOT_NEEDS)
    assert getattr(settings, name.lower()).get_secret_value() == COMPLETE[name]


def test_an_optional_variable_can_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.write_text("8080\n")
    assert load_settings({**COMPLETE, "PORT_FILE": str(file)}, BOT_NEEDS).port == 8080


def test_an_empty_variable_beside_its_file_is_not_set_twice(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text(DATABASE)
    environ = {"DATABASE_URL": "", "DATABASE_URL_FILE": str(file)}
    assert load_settings(environ, RELEASE_NEEDS).database_url.get_secret_value() == DATABASE


def test_a_variable_and_its_file_are_not_both_taken() -> None:
    line = the_line({**COMPLETE, "REDIS_URL_FILE": "/run/secrets/redis"})
    assert line.startswith("REDIS_URL and REDIS_URL_FILE are both set; keep one of them. ")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"\xff\xfe", "cannot be read (it is not a text file)"),
        (b"xoxb-hunter2\nxoxb-second", "has more than one line"),
    ],
)
def test_a_file_that_does_not_help_is_named_by_its_variable(
    content: bytes | None, complaint: str, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    line = the_line({**without("SLACK_BOT_TOKEN"), "SLACK_BOT_TOKEN_FILE": str(file)})
    assert line.startswith(f"The file that SLACK_BOT_TOKEN_FILE names {complaint}; write ")
    assert "or set SLACK_BOT_TOKEN instead" in line


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    line = the_line({**without("REDIS_URL"), "REDIS_URL_FILE": str(tmp_path)})
    assert line.startswith("The file that REDIS_URL_FILE names cannot be read (Is a directory)")


@pytest.mark.parametrize("path", ["xoxb-hunter2", "xoxb-hunter2\0", "xoxb-hunter2" * 1_000])
def test_a_secret_in_the_place_of_its_path_is_not_repeated(path: str) -> None:
    assert "SLACK_BOT_TOKEN_FILE" in the_line({**without("SLACK_BOT_TOKEN"), "SLACK_BOT_TOKEN_FILE": path})


def test_an_app_token_turns_socket_mode_on_and_no_signing_secret_is_needed(tmp_path: Path) -> None:
    assert not load_settings(COMPLETE, BOT_NEEDS).socket_mode
    assert load_settings({**without("SLACK_SIGNING_SECRET"), "SLACK_APP_TOKEN": "xapp-1"}, BOT_NEEDS).socket_mode
    (tmp_path / "token").write_text("xapp-1\n")
    held = {**without("SLACK_SIGNING_SECRET"), "SLACK_APP_TOKEN_FILE": str(tmp_path / "token")}
    assert load_settings(held, BOT_NEEDS).slack_app_token.get_secret_value() == "xapp-1"


def test_what_is_no_app_token_is_one_clear_line() -> None:
    line = the_line({**COMPLETE, "SLACK_APP_TOKEN": "xoxb-hunter2"})
    assert line.startswith("SLACK_APP_TOKEN does not begin with xapp-; set it to the app-level token with the scope ")


def test_the_token_of_socket_mode_is_nothing_to_the_other_processes() -> None:
    assert not load_settings({**COMPLETE, "SLACK_APP_TOKEN": "malformed"}, WORKER_NEEDS).socket_mode


def test_unknown_variables_are_ignored() -> None:
    load_settings({**COMPLETE, "HOME": "/root", "COUNTERSIGN_PORT": "x", "PORTS": "y"}, BOT_NEEDS)


def test_neither_the_process_environment_nor_a_dotenv_file_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"DATABASE_URL={DATABASE}\nPORT=1\n")
    code = "from approvals.settings import *; print(load_settings({}, frozenset()))"
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), *sys.path]))
    environ = {**COMPLETE, "PORT": "1", "PYTHONPATH": path}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environ, check=True, capture_output=True, text=True
    )
    assert "database_url=SecretStr('')" in ran.stdout
    assert "port=3000" in ran.stdout


def test_a_secret_that_the_configuration_names_is_one_line_where_it_is_missing() -> None:
    assert load_secrets({"PAGE": "hush", "OTHER": "x"}, ["PAGE"])["PAGE"].get_secret_value() == "hush"
    with pytest.raises(SettingsError) as caught:
        load_secrets({}, ["PAGE"])
    assert str(caught.value) == (
        "PAGE is missing; countersign.yml names it as the variable of a secret, so set it, "
        "or set PAGE_FILE to the path of a file that holds it."
    )

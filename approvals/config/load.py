"""countersign.yml -> Config, or one error that says where it is wrong. Only this file reads a file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NoReturn

from pydantic import ValidationError

from approvals.config.build import build
from approvals.config.check import check
from approvals.config.errors import ConfigError, Finding, Location, Problem, key_path
from approvals.config.explain import explain
from approvals.config.read_yaml import Document, UnreadableYamlError, read_yaml
from approvals.config.sections import FileSections
from approvals.config.set_aside import set_aside
from approvals.config.values import Config
from approvals.config.warn import warnings

# YAML is read at some 300 KB a second.
LARGEST: Final = 128 * 1024


def load_config(path: str | Path) -> Config:
    """Raises ConfigError, whose text begins `FILE:LINE: key.path: ` and names the first problem."""
    return lint_config(path)[0]


def lint_config(path: str | Path) -> tuple[Config, tuple[Problem, ...]]:
    """As `load_config`, with what is allowed and probably not meant."""
    path = Path(path)
    document = _document(path)
    if document.data is None:
        _fail(path, 1, "the file is empty; it needs at least one agent, see the example countersign.yml")
    if not isinstance(document.data, dict):
        _fail(path, 1, f"the file must be a mapping with the keys {', '.join(FileSections.model_fields)}")
    sections = _sections(document.data, document, path)
    return build(sections, path), _problems(warnings(sections), document, path)


def _document(path: Path) -> Document:
    try:
        return read_yaml(_text(path))
    except FileNotFoundError:
        _fail(
            path,
            None,
            "there is no such file; create it, or name another by COUNTERSIGN_CONFIG or the option",
        )
    except OSError as error:
        _fail(path, None, f"the file cannot be read ({error.strerror}); correct its path or its permissions")
    except UnicodeDecodeError:
        _fail(path, None, "the file is not UTF-8 text; save it as UTF-8")
    except UnreadableYamlError as error:
        _fail(path, error.line, error.message)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        _fail(path, None, f"the file has more than {LARGEST // 1024} KB; use patterns such as read_* for many tools")
    return content.decode("utf-8")


def _sections(data: dict[object, object], document: Document, path: Path) -> FileSections:
    kept, findings = set_aside(data)
    try:
        file = FileSections.model_validate(kept)
    except ValidationError as error:
        findings += tuple(later for later in explain(error) if not _follows(later, findings))
        raise _error(findings, document, path) from None
    # Only a file without gaps is looked at across sections: a gap would be reported twice.
    findings = findings or check(file)
    if findings:
        raise _error(findings, document, path)
    return file


def _follows(later: Finding, earlier: Iterable[Finding]) -> bool:
    """Whether it complains about what was set aside: the same key, one inside it or one around it."""
    return any(_overlap(later.location, finding.location) for finding in earlier)


def _overlap(one: Location, other: Location) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _error(findings: Iterable[Finding], document: Document, path: Path) -> ConfigError:
    return ConfigError(_problems(findings, document, path))


def _problems(findings: Iterable[Finding], document: Document, path: Path) -> tuple[Problem, ...]:
    problems = [
        Problem(str(path), document.line_of(finding.location), key_path(finding.location), finding.message)
        for finding in findings
    ]
    return tuple(sorted(problems, key=lambda problem: problem.line or 0))


def _fail(path: Path, line: int | None, message: str) -> NoReturn:
    raise ConfigError((Problem(str(path), line, "", message),))

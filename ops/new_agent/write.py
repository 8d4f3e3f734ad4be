"""A new agent's folder, from the template beside this file. Never writes over anything."""

import keyword
import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Final

# File of the template -> file of the agent, with its name in the place of NAME.
FILES: Final = {
    "agent.py.in": "NAME.py",
    "countersign.yml.in": "countersign.yml",
    "test.py.in": "test_NAME.py",
    "README.md.in": "README.md",
}
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,29}")


def objection_to(name: str) -> str | None:
    """Why an agent cannot be called so, as a sentence; None if it can."""
    if not NAME.fullmatch(name):
        return f"{name!r} cannot be its name: use up to 30 small letters, digits, - and _, a letter first."
    module = module_of(name)
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or is_module(module):
        return f"{module} means something else to Python already; choose another name, such as {name}_agent."
    return None


def module_of(name: str) -> str:
    """What the folder and the module are called: Python's names have no hyphen."""
    return name.replace("-", "_")


def is_module(name: str) -> bool:
    """Whether Python would find another module of that name; a mere folder is none."""
    spec = find_spec(name)
    return spec is not None and spec.origin is not None


def write(name: str, into: Path) -> Path:
    """The new folder. Raises FileExistsError if there is one of that name, or a module that would be taken for it, and
    OSError if it cannot be written."""
    module = module_of(name)
    folder = into / module
    if folder.with_suffix(".py").exists():
        raise FileExistsError(folder)
    folder.mkdir()
    template = files("ops.new_agent") / "template"
    for source, target in FILES.items():
        text = Template((template / source).read_text(encoding="utf-8")).substitute(name=name, module=module)
        (folder / target.replace("NAME", module)).write_text(text, encoding="utf-8")
    return folder

"""The named queries: SQL files whose header says what they answer and which parameters they take.

A header is the comment at the top of the file: a title on the first line, an empty comment line, a description, and a
line for each parameter, `-- param NAME: DEFAULT -- MEANING`. The default `none` is no value at all, and `required` has
to be given. Values are bound as prepared parameters; none is ever pasted into the SQL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources

_PARAM = re.compile(r"param (?P<name>[a-z_]+): (?P<default>\S+) -- (?P<meaning>\S.*)")


class UnknownQuery(LookupError):
    """No named query has this name. Its text suggests the nearest."""


class WrongParameter(ValueError):
    """A parameter that the query does not take, or a required one that is missing."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    default: str | None
    required: bool
    meaning: str

    def __str__(self) -> str:
        if self.required:
            return f"{self.name} (required)"
        return self.name if self.default is None else f"{self.name} ({self.default})"


@dataclass(frozen=True, slots=True)
class NamedQuery:
    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    sql: str

    def bind(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """A value for every parameter: the one given, or its default. Raises `WrongParameter`."""
        known = {parameter.name for parameter in self.parameters}
        for name in given.keys() - known:
            takes = ", ".join(sorted(known)) or "none"
            raise WrongParameter(f"the query {self.name} has no parameter {name!r}; it takes: {takes}")
        for parameter in self.parameters:
            if parameter.required and parameter.name not in given:
                raise WrongParameter(f"the query {self.name} needs --param {parameter.name}=…: {parameter.meaning}")
        return {parameter.name: given.get(parameter.name, parameter.default) for parameter in self.parameters}


def catalogue() -> dict[str, NamedQuery]:
    """Every named query, by name."""
    folder = resources.files("auditor.store").joinpath("queries")
    files = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".sql"))
    queries = (parse(name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for name, file in files)
    return {query.name: query for query in queries}


def find(name: str) -> NamedQuery:
    """The query of this name. Raises `UnknownQuery`."""
    queries = catalogue()
    if name not in queries:
        near = get_close_matches(name, queries, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownQuery(f"there is no query named {name!r}.{hint} `auditor query --list` shows them all.")
    return queries[name]


def parse(name: str, text: str) -> NamedQuery:
    """The query in the text of a file. Raises `ValueError` when its header is not as this module says."""
    header = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        header.append(line.removeprefix("--").strip())
    title, *rest = header or [""]
    parameters = tuple(_parameter(name, line) for line in rest if line.startswith("param "))
    description = " ".join(line for line in rest if line and not line.startswith("param "))
    if not title or not description:
        raise ValueError(f"the query {name} needs a title and a description in its header")
    return NamedQuery(name, title, description, parameters, text)


def _parameter(query: str, line: str) -> Parameter:
    match = _PARAM.fullmatch(line)
    if match is None:
        raise ValueError(f"the query {query}: not `param NAME: DEFAULT -- MEANING`: {line}")
    default = match["default"]
    required = default == "required"
    return Parameter(match["name"], None if required or default == "none" else default, required, match["meaning"])

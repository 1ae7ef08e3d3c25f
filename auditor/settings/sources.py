"""Where the settings come from: options, the environment, a file, in this order; the first that has one wins.

A secret may be given as the path of a file that holds it, under its name with `_file` after it, in each of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from auditor.settings.checks import conflicts
from auditor.settings.model import SETTINGS, Settings, flattened

DEFAULT: Final = "default"
CONFIG_OPTION: Final = "--config"
CONFIG_VARIABLE: Final = "AUDITOR_CONFIG"

_FILE: Final = "_file"
_SECRETS: Final = frozenset(name for name, setting in SETTINGS.items() if setting.shown.kind == "secret")
_TABLES: Final = frozenset(name for name, setting in SETTINGS.items() if setting.shown.kind == "table")
_FLAGS: Final = frozenset(name for name, setting in SETTINGS.items() if setting.shown.kind == "flag")
_LONGEST_SECRET: Final = 64 << 10  # bytes: whatever is longer is not the file that was meant


class SettingsWrong(Exception):
    """The settings cannot be used. `problems`: every one that was found, a sentence each that names its source."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Given(NamedTuple):
    """A value as it was given, and by what: `--store`, `AUDITOR_STORE`, `room.toml: store`."""

    value: object
    origin: str


#: What was given, by the name of the setting; of a table, by the name, a dot and the key.
Everything = Mapping[str, Given]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that was given, before anybody asked whether it makes sense."""

    given: Everything
    problems: tuple[str, ...]

    def origin(self, name: str) -> str:
        """What gave a setting its value."""
        return self.given[name].origin if name in self.given else DEFAULT


def gather(options: Mapping[str, object], environ: Mapping[str, str], config: Path | None = None) -> Gathered:
    """The winner for each setting. `options`: what was given on the command line, by the setting's name."""
    problems: list[str] = []
    config_origin = CONFIG_OPTION
    if config is None and (named := environ.get(CONFIG_VARIABLE)):
        config, config_origin = Path(named), CONFIG_VARIABLE
    layers = [_from_options(options, problems), _from_environment(environ, problems)]
    if config is not None:
        layers.append(_from_file(config, config_origin, problems))
    won: dict[str, Given] = {}
    for layer in layers:
        for name, given in layer.items():
            won.setdefault(name, given)
    return Gathered(won, tuple(problems))


def resolve(gathered: Gathered) -> Settings:
    """The settings. Raises `SettingsWrong`."""
    problems = list(gathered.problems)
    try:
        settings = Settings.model_validate(_values(gathered.given))
    except ValidationError as error:
        problems += _told(error, gathered)
    else:
        problems += [f"{_named(name, gathered)}: {words}" for name, words in conflicts(settings)]
    if problems:
        raise SettingsWrong(problems)
    return settings


def _values(given: Everything) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, each in given.items():
        table, dot, key = name.partition(".")
        if dot:
            into = values.setdefault(table, {})
            assert isinstance(into, dict)
            into[key] = each.value
        else:
            values[name] = each.value
    return values


# --- each source ---------------------------------------------------------------------------------------------------


def _from_options(options: Mapping[str, object], problems: list[str]) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if name in _TABLES and isinstance(value, (list, tuple)):
            found |= _pairs(name, [str(item) for item in value], option, problems)
        elif value is not None:
            shown = "--no-" + name.replace("_", "-") if name in _FLAGS and value is False else option
            found[name] = Given(value, shown)
    return _with_secrets(found, problems)


def _from_environment(environ: Mapping[str, str], problems: list[str]) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for name, setting in SETTINGS.items():
        for key in (name, name + _FILE) if name in _SECRETS else (name,):
            variable = setting.variable + key.removeprefix(name).upper()
            value = environ.get(variable)
            if not value:  # an empty variable is how compose and shells say "not set"
                continue
            if name in _TABLES:
                found |= _pairs(name, value.split(","), variable, problems)
            else:
                found[key] = Given(value, variable)
    return _with_secrets(found, problems)


def _from_file(path: Path, origin: str, problems: list[str]) -> dict[str, Given]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        problems.append(f"{origin}: {path} cannot be read: {error.strerror}")
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(f"{path} is no TOML: {error}")
        return {}
    found: dict[str, Given] = {}
    for key, value in content.items():
        where = f"{path}: {key}"
        if key in _TABLES and isinstance(value, Mapping):
            found |= {f"{key}.{name}": Given(text, f"{where}.{name}") for name, text in flattened(value).items()}
        elif key in SETTINGS or key.removesuffix(_FILE) in _SECRETS:
            found[key] = Given(value, where)
        else:
            problems.append(f"{where}: no such setting{_near(key)}")
    return _with_secrets(found, problems)


def _pairs(name: str, items: list[str], origin: str, problems: list[str]) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for item in items:
        key, equals, value = (part.strip() for part in item.partition("="))
        if key and equals:
            found[f"{name}.{key}"] = Given(value, origin)
        else:
            problems.append(f"{origin}: {item!r} is not KEY=VALUE")
    return found


def _with_secrets(found: dict[str, Given], problems: list[str]) -> dict[str, Given]:
    """What files hold, in the place of their paths."""
    for name in _SECRETS:
        path = found.pop(name + _FILE, None)
        if path is None:
            continue
        if name in found:
            problems.append(f"{found[name].origin} and {path.origin}: give one of the two")
            continue
        secret = _secret(path, problems)
        if secret is not None:
            found[name] = Given(secret, path.origin)
    return found


def _secret(path: Given, problems: list[str]) -> str | None:
    try:
        with Path(str(path.value)).open("rb") as file:
            raw = file.read(_LONGEST_SECRET + 1)
        # The line's end is the editor's, not the secret's.
        secret = raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except OSError as error:
        problems.append(f"{path.origin}: {path.value} cannot be read: {error.strerror}")
        return None
    except UnicodeDecodeError:
        problems.append(f"{path.origin}: {path.value} holds no text")
        return None
    if not secret or len(raw) > _LONGEST_SECRET:
        problems.append(f"{path.origin}: {path.value} {'is too long for a secret' if secret else 'is empty'}")
        return None
    return secret


# --- what is wrong, in words ---------------------------------------------------------------------------------------


def _told(error: ValidationError, gathered: Gathered) -> Iterator[str]:
    for each in error.errors(include_url=False):
        name = str(each["loc"][0])
        if each["type"] == "missing":
            setting = SETTINGS[name]
            yield f"{name} is missing: give {setting.option}, {setting.variable}, or {name} in the file"
            continue
        words = each["msg"].removeprefix("Value error, ").removeprefix("Input ")
        value = "" if name in _SECRETS else f", not {_shown_value(each['input'])}"
        yield f"{_named(name, gathered)}: {words}{value}"


def _shown_value(value: Any) -> str:
    return repr(str(value)) if isinstance(value, Path) else repr(value)


def _named(name: str, gathered: Gathered) -> str:
    return gathered.given[name].origin if name in gathered.given else name


def _near(key: str) -> str:
    near = get_close_matches(key.replace("-", "_"), [*SETTINGS, *(name + _FILE for name in _SECRETS)], n=1)
    return f"; did you mean {near[0]}?" if near else ""


def mistyped(environ: Mapping[str, str]) -> Iterator[str]:
    """Variables that look like settings and are none. Not an error: Kubernetes makes some of its own."""
    known = {setting.variable: name for name, setting in SETTINGS.items()}
    known |= {known_ + _FILE.upper(): name for known_, name in known.items() if name in _SECRETS}
    for variable in sorted(environ):
        if variable.startswith("AUDITOR_") and variable not in known and variable != CONFIG_VARIABLE:
            near = get_close_matches(variable, known, n=1, cutoff=0.85)
            if near:
                yield f"{variable} is no setting; did you mean {near[0]}?"

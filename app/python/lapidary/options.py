# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments of Python as options of the command line, by the same names."""

from __future__ import annotations

import difflib
import keyword
import os
from typing import Any, Dict, Iterable, List, Mapping

Option = Dict[str, Any]  # cli/options/option_list.h describes the members


def python_name(option: Option) -> str:
    """``disable_pass`` of ``--disable-pass``; ``from_`` where the word belongs to Python."""
    name = str(option["names"][-1]).lstrip("-").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def text_of(value: Any) -> str:
    """A value as the command line writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (str, os.PathLike)):
        return str(os.fspath(value))
    return repr(float(value)) if isinstance(value, float) else str(value)


def _texts_of(value: Any) -> List[str]:
    """A mapping gives NAME=VALUE for each item, a list each of its items."""
    if isinstance(value, Mapping):
        return [f"{name}={text_of(item)}" for name, item in value.items()]
    if isinstance(value, (list, tuple, set)):
        return [text_of(item) for item in value]
    return [text_of(value)]


def _arguments_of(option: Option, value: Any) -> List[str]:
    name = option["names"][-1]
    if not option["value_name"]:  # a flag
        if not isinstance(value, bool):
            raise TypeError(f"{python_name(option)} is True or False, found {value!r}")
        return [name] if value else []
    if value is True and option["value_is_optional"]:
        return [name]
    if value is False and "off" not in option["words"]:
        return []
    texts = _texts_of(value)
    if option["takes_list"] and texts:
        return [f"{name}={','.join(texts)}"]
    return [f"{name}={text}" for text in texts]


def _is_left_out(option: Option) -> bool:
    return bool(option["is_positional"]) or option["names"][-1] in ("--help", "--json", "--quiet")


def arguments_of(what: str, options: Iterable[Option], given: Mapping[str, Any]) -> List[str]:
    """The options of the command line that stand for keyword arguments.

    None is as good as not given. Raises TypeError for a name that ``what`` does not have.
    """
    by_name = {python_name(option): option for option in options if not _is_left_out(option)}
    arguments: List[str] = []
    for name, value in given.items():
        option = by_name.get(name)
        if option is None:
            near = difflib.get_close_matches(name, by_name, 1)
            raise TypeError(
                f"{what}() has no option {name!r}"
                + (f": did you mean {near[0]!r}?" if near else f"; it has {', '.join(by_name)}")
            )
        if value is not None:
            arguments += _arguments_of(option, value)
    return arguments


def help_of(option: Option) -> str:
    """One paragraph for a docstring."""
    text = " ".join(str(option["help"]).split("\n")[:1])
    value = option["value_name"] or "flag"
    bounds = f", {option['range']}" if option["range"] else ""
    return f"{python_name(option)}: {text} ({value}{bounds})."

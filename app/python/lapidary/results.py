# SPDX-License-Identifier: Apache-2.0
"""Results: what ``--json`` prints, with attributes, tables for pandas and Polars, and notebooks."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Sequence


def flat_row(row: Dict[str, Any], before: str = "") -> Dict[str, Any]:
    """The row with the members of nested objects as ``outer.inner``; lists stay as they are."""
    flat: Dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat.update(flat_row(value, f"{before}{name}."))
        else:
            flat[before + name] = value
    return flat


def interval_text(value: float, interval: Optional[Sequence[float]], unit: str = "") -> str:
    """ "1.5 ms [1.4, 1.6]"; without the interval where there is none."""
    text = f"{value:.4g} {unit}".strip()
    return text if not interval else f"{text} [{interval[0]:.4g}, {interval[1]:.4g}]"


def _merge_sentence(members: Dict[str, Any]) -> str:
    """Of ``farm merge``: whether all is there; empty for other results."""
    lost, failed = members.get("lost"), members.get("failed")
    if "complete" not in members or not isinstance(lost, list) or not isinstance(failed, list):
        return ""
    if members["complete"]:
        return f"complete: all {members.get('tasks')} tasks of {members.get('shards')} shards"
    return f"not complete: lost shards: {len(lost)}, failed tasks: {len(failed)}"


def sentence_of(members: Dict[str, Any]) -> str:
    """What a result says in one line: its verdict, or medians that it is about; may be empty."""
    merged = _merge_sentence(members)
    if merged:
        return merged
    for name in ("difference", "verdict"):
        said = members.get(name)
        said = said.get("sentence") if isinstance(said, dict) else said
        if isinstance(said, str) and said:
            return said
    measured = members.get("configurations")
    if not isinstance(measured, list):
        return ""
    medians = [
        f"{interval_text(row['ours']['median_ms'], row['ours'].get('ci_ms'), 'ms')}"
        f" ({row.get('model')}, {row.get('level')})"
        for row in measured
        if isinstance(row.get("ours"), dict) and row["ours"].get("median_ms") is not None
    ]
    more = f" and {len(medians) - 3} more" if len(medians) > 3 else ""
    return "median " + ", ".join(medians[:3]) + more if medians else ""


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Result(value)
    if isinstance(value, list):
        return [_wrapped(item) for item in value]
    return value


class Result:
    """An object of JSON whose members are attributes: ``result.median_ms``, ``result["median_ms"]``.

    Members and their units are those that the schemas of ``lapidary-cli --json`` describe
    (``resources/schemas``). Lists of objects become tables by :meth:`to_pandas`; :meth:`tables`
    has their names.

    Attributes:
        exit_code: 0 fine; 1 a check found a difference; 7 a limit that what was measured can
            neither keep nor break.
    """

    exit_code: int = 0

    def __init__(self, members: Dict[str, Any], kind: str = "", exit_code: int = 0) -> None:
        self.__dict__["_members"] = members
        self.__dict__["_kind"] = kind  # the command that it is of; empty: a part of a result
        self.__dict__["exit_code"] = exit_code

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__.get("_members", {})
        if name in members:
            return _wrapped(members[name])
        if name.endswith("_") and name[:-1] in members:  # words that belong to Python: pass_
            return _wrapped(members[name[:-1]])
        raise AttributeError(f"there is no member {name!r}; there are {', '.join(members)}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("results do not change")

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._members[name])

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._members == other._members

    def __hash__(self) -> int:
        raise TypeError("results have no hash: they hold lists")

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._members})

    def keys(self) -> List[str]:
        """Names of the members."""
        return list(self._members)

    def get(self, name: str, otherwise: Any = None) -> Any:
        """The member, or ``otherwise`` where there is none."""
        return self[name] if name in self._members else otherwise

    def to_dict(self) -> Dict[str, Any]:
        """A copy as plain dicts and lists."""
        copied: Dict[str, Any] = json.loads(json.dumps(self._members))
        return copied

    def to_json(self, indent: Optional[int] = None) -> str:
        """The JSON text."""
        return json.dumps(self._members, indent=indent)

    def tables(self) -> List[str]:
        """Names of the members that are tables with rows: lists of objects."""
        return [name for name in self._members if self._is_table(name)]

    def rows(self, table: Optional[str] = None) -> List[Dict[str, Any]]:
        """The rows of a table; of the only or first one where none is named.

        An empty list is a table without rows. A dict of counts by name has rows of ``name`` and
        ``count``.
        """
        names = self.tables()
        if table is None and names:
            table = names[0]
        value = self._members.get(table) if table is not None else None
        if table in names or value == []:
            return [dict(row) for row in value or []]
        if isinstance(value, dict) and all(type(count) is int for count in value.values()):
            return [{"name": name, "count": count} for name, count in value.items()]
        raise KeyError(f"there is no table {table!r}; there are {', '.join(names) or 'none'}")

    def to_pandas(self, table: Optional[str] = None) -> Any:
        """A table as a ``pandas.DataFrame``; needs pandas.

        The members of objects in a row are columns: ``ours.median_ms``.
        """
        import pandas

        return pandas.DataFrame([flat_row(row) for row in self.rows(table)])

    def to_polars(self, table: Optional[str] = None) -> Any:
        """A table as a ``polars.DataFrame``, with the same columns; needs Polars."""
        import polars

        return polars.DataFrame([flat_row(row) for row in self.rows(table)])

    def _is_table(self, name: str) -> bool:
        value = self._members[name]
        return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)

    def __repr__(self) -> str:
        sentence = sentence_of(self._members)
        parts = [repr(sentence)] if sentence else []
        for name, value in self._members.items():
            if sentence and value == sentence:
                continue
            if isinstance(value, (dict, list)) and value:
                unit = "members" if isinstance(value, dict) else "items"
                parts.append(f"{name}=<{len(value)} {unit}>")
            else:
                parts.append(f"{name}={value!r}")
        return f"Result({', '.join(parts)})"

    def _repr_html_(self) -> str:
        from . import notebook

        return notebook.html_of_result(self)

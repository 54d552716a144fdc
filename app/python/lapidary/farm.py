# SPDX-License-Identifier: Apache-2.0
"""Commands in shards, on this machine or on those of Dask or Ray: ``lapidary-cli farm``.

    from lapidary import farm
    farm.plan("job.json", ["bench", "--seconds", "2"], models="zoo", shards=8)
    farm.map("job.json", client=dask.distributed.Client("scheduler:8786"))
    result = farm.merge("job.json")
    pandas.DataFrame(farm.rows(result, "configurations"))

Plan, models and samples lie on a disk that all machines see, under the same names.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Sequence, Union

from .commands import ProgressFunction, call
from .errors import UsageError
from .results import Result, flat_row

__all__ = ["map", "merge", "plan", "rows", "run"]

Path = Union[str, "os.PathLike[str]"]


def _options(**given: Any) -> List[str]:
    words: List[str] = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        option = "--" + name.replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            text = os.fspath(item) if isinstance(item, os.PathLike) else item
            words.append(option if item is True else f"{option}={text}")
    return words


def plan(
    file: Path,
    command: Sequence[Any],
    *,
    models: Union[Path, Sequence[Path], None] = None,
    shards: Optional[int] = None,
    per_shard: Optional[int] = None,
    split: Optional[str] = None,
    slurm: Optional[Path] = None,
) -> Result:
    """Writes a plan that divides a command.

    Args:
        file: the plan to write, JSON.
        command: the words behind ``lapidary-cli``: ``["bench", "--seconds", "2"]``; ``{}`` in a
            word stands for the model, ``{name}`` for its name.
        models: files, folders, patterns of files, or ``"sample:NAME"``.
        shards: their number.
        per_shard: models of each shard, in place of their number.
        split: ``"models"``, ``"samples"`` or ``"candidates"``; found by the command unless given.
        slurm: a script to write that submits the shards to Slurm.
    """
    if isinstance(command, (str, bytes)):
        raise TypeError(
            'command is a list of words, ["bench", "--seconds", "2"], '
            f"found {type(command).__name__}"
        )
    words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in command]
    options = _options(models=models, shards=shards, per_shard=per_shard, split=split, slurm=slurm)
    return call(["farm", "plan", *options, "--json", "--", os.fspath(file), *words], None, "farm")


def run(
    file: Path,
    shard: int,
    *,
    again: bool = False,
    results: Optional[Path] = None,
    on_progress: Optional[ProgressFunction] = None,
) -> Result:
    """Runs one shard of the plan, as far as it is not done, and writes what it found.

    Args:
        file: the plan.
        shard: from 0 on.
        again: also what is done already.
        results: folder of the results; beside the plan unless given.
        on_progress: called with a stage and the part of it that is done.
    """
    options = _options(shard=shard, again=again, results=results)
    return call(["farm", "run", os.fspath(file), *options, "--json"], on_progress, "farm")


def merge(
    file: Path,
    *,
    output: Optional[Path] = None,
    partial: bool = False,
    results: Optional[Path] = None,
) -> Result:
    """Puts the results of all shards together.

    ``result.complete`` is False where a shard is lost or a task failed: ``result.lost`` and
    ``result.failed`` have the commands that run them again, and there are no ``results`` unless
    ``partial``.
    """
    options = _options(output=output, partial=partial, results=results)
    return call(["farm", "merge", os.fspath(file), *options, "--json"], None, "farm")


def rows(merged: Result, table: Optional[str] = None) -> List[Dict[str, Any]]:
    """A table of each model's result as one table, for ``pandas.DataFrame``.

    Each row begins with ``model``, as the plan names it, and ``host``, the machine that it is from.

    Args:
        merged: what :func:`merge` returned of a plan that is divided by models.
        table: its name in the results, ``"configurations"`` of ``bench``; the first one unless
            given.
    """
    found: List[Dict[str, Any]] = []
    for one in merged.get("results") or []:
        if "machine" not in one:
            raise UsageError("the plan is not divided by models: its results have no tables")
        begin = {"model": one.model, "host": merged.machines[one.machine].host}
        found += [{**begin, **flat_row(row), **begin} for row in one.result.rows(table)]
    return found


def _run_there(file: str, shard: int, again: bool, results: Optional[str]) -> Any:
    """What a worker does: results pass between machines as plain dicts."""
    return run(file, shard, again=again, results=results).to_dict()


def map(  # noqa: A001
    file: Path,
    client: Any = None,
    *,
    shards: Optional[Sequence[int]] = None,
    again: bool = False,
    results: Optional[Path] = None,
) -> List[Result]:
    """Runs shards of the plan, all unless ``shards`` names some, and waits for them.

    Args:
        file: the plan.
        client: where they run. None: here, one after the other. A ``dask.distributed.Client``. The
            module ``ray`` after ``ray.init()``. Or an executor of ``concurrent.futures`` whose
            processes import lapidary.
        shards: which of them; for example those of ``merge().lost`` and ``merge().failed``.
        again: also what is done already.
        results: folder of the results; beside the plan unless given.

    Returns what :func:`run` returned for each, in order. Raises the error of the first that failed
    as a whole; the others are finished nevertheless, and :func:`merge` names the lost ones.
    """
    path = os.path.abspath(os.fspath(file))
    place = None if results is None else os.path.abspath(os.fspath(results))
    if shards is None:
        with open(path, encoding="utf-8") as opened:
            shards = range(json.load(opened)["shards"])
    arguments = [(path, shard, again, place) for shard in shards]
    if client is None:
        found = [_run_there(*given) for given in arguments]
    elif getattr(client, "__name__", "") == "ray":
        remote = client.remote(_run_there)
        found = _gathered([remote.remote(*given) for given in arguments], client.get)
    elif hasattr(client, "submit"):
        # Dask would take two equal calls for one, and keep its result
        dask = type(client).__module__.startswith("distributed")
        more = {"pure": False} if dask else {}
        futures = [client.submit(_run_there, *given, **more) for given in arguments]
        found = _gathered(futures, lambda future: future.result())
    else:
        raise UsageError(
            "client is None, a Client of Dask, the module ray or an executor of "
            f"concurrent.futures, found {type(client).__name__}"
        )
    return [Result(members, "farm") for members in found]


def _gathered(futures: List[Any], result_of: Any) -> List[Any]:
    """The result of each, after all have ended; raises the first error then."""
    found, error = [], None
    for future in futures:
        try:
            found.append(result_of(future))
        except Exception as raised:  # noqa: BLE001
            error = error or raised
    if error is not None:
        raise error
    return found

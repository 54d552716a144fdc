# SPDX-License-Identifier: Apache-2.0
"""The commands of ``lapidary-cli`` as functions: the same names, options and defaults.

An option ``--disable-pass NAME`` is the argument ``disable_pass="NAME"``, or a list where it may be
given several times. ``NAME=VALUE`` is a dict: ``dim={"batch": 8}``. Arrays are inputs:
``input={"x": array}``, and samples: ``data=[{"x": array}, ...]``. A model is a path,
``"sample:NAME"`` or a :class:`lapidary.Model`. The result is what ``--json`` prints, as
:class:`lapidary.Result`; commands that print text alone return it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import os
import re
import sys
import tempfile
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional

from . import _engine, arrays
from .errors import UsageError, error_of
from .options import arguments_of, help_of, python_name
from .results import Result

# What only a terminal or another program has a use for; farm is a module.
_NOT_FUNCTIONS = {"serve", "mcp", "completion", "man", "farm"}

ProgressFunction = Callable[[str, Optional[float]], Any]


def _result_of(raw: bytes) -> Dict[str, Any]:
    found: Dict[str, Any] = json.loads(raw)
    return found


def call(
    arguments: List[str], on_progress: Optional[ProgressFunction] = None, kind: str = ""
) -> Result:
    """Runs a command as it would be typed, ``--json`` among its words, in this process.

    ``on_progress`` is called with a stage (str) and the part of it that is done (float in [0, 1],
    or None where it is not known), a few times a second. Ctrl-C cancels: KeyboardInterrupt then has
    ``result`` where one was complete before. Raises :class:`lapidary.Error`.
    """
    try:
        code, out, err = _engine.call_command(arguments, on_progress)
    except BaseException as raised:
        written = getattr(raised, "lapidary_output", b"")
        if written:
            with contextlib.suppress(ValueError):
                raised.result = Result(_result_of(written), kind)  # type: ignore[attr-defined]
        raise
    if out.strip() and code in (0, 1, 7):
        return Result(_result_of(out), kind, code)
    raise _error_in(err, code)


def _error_in(err: bytes, code: int) -> Exception:
    for line in reversed(err.decode("utf-8", "replace").splitlines()):
        with contextlib.suppress(ValueError, KeyError, TypeError):
            error = json.loads(line)["error"]
            return error_of(error["code"], error["message"], error["where"])
    return error_of("internal", f"the command ended with {code}: {err.decode(errors='replace')}", [])


def call_for_text(arguments: List[str], on_progress: Optional[ProgressFunction] = None) -> str:
    """Runs a command as it would be typed, and returns what it prints."""
    code, out, err = _engine.call_command(arguments, on_progress)
    if code not in (0, 1, 7):
        text = err.decode("utf-8", "replace").strip().splitlines()
        sentence = text[-1] if text else f"the command ended with {code}"
        codes = {2: "usage", 3: "invalid_input", 4: "not_supported", 5: "cancelled"}
        sentence = sentence.removeprefix("lapidary-cli: ")
        sentence = re.sub(r" \(lapidary-cli [^()]*--help [a-z ]+\)$", "", sentence)
        raise error_of(codes.get(code, "internal"), sentence, [])
    printed: str = out.decode("utf-8", "replace")
    return printed


def _folder(stack: contextlib.ExitStack) -> str:
    return stack.enter_context(tempfile.TemporaryDirectory(prefix="lapidary-"))


def _input_files(inputs: Any, stack: contextlib.ExitStack) -> Any:
    """Arrays among the inputs become files, which the command reads."""
    if inputs is None or isinstance(inputs, str):
        return inputs
    if isinstance(inputs, (list, tuple)) and all(isinstance(item, str) for item in inputs):
        return inputs
    if not isinstance(inputs, Mapping):
        found = type(inputs).__name__
        raise UsageError(f'input is a dict of arrays by name, {{"x": array}}, found {found}')
    place = ""
    files = {}
    for index, (name, value) in enumerate(inputs.items()):
        files[name] = value
        if arrays.is_array(value):
            place = place or _folder(stack)
            files[name] = os.path.join(place, f"{index}.npy")
            arrays.save(files[name], value)
    return files


def _sample_files(data: Any, stack: contextlib.ExitStack) -> Any:
    """Arrays that are samples become an .npz file, or a folder of one for each sample."""
    if data is None or not arrays.is_array(data):
        return data
    is_list = isinstance(data, Iterable) and not hasattr(data, "__array__")
    samples = [data] if isinstance(data, Mapping) else list(data) if is_list else []
    if not samples or not all(
        isinstance(sample, Mapping) and all(map(arrays.is_array, sample.values()))
        for sample in samples
    ):
        raise UsageError(
            'data is a path, a dict of arrays with many samples each, {"x": array}, or a list of '
            f"such dicts, each one sample, found {type(data).__name__}"
        )
    place = _folder(stack)
    for index, sample in enumerate(samples):
        arrays.save_all(os.path.join(place, f"{index:06}.npz"), sample)
    return os.path.join(place, "000000.npz") if isinstance(data, Mapping) else place


def _with_files(name: str, given: Dict[str, Any], stack: contextlib.ExitStack) -> Dict[str, Any]:
    """Options whose arrays are files, as long as the stack lasts."""
    changed = dict(given)
    if "input" in given:
        changed["input"] = _input_files(given["input"], stack)
    if "data" in given and name in ("quantize", "accuracy"):
        changed["data"] = _sample_files(given["data"], stack)
    return changed


def _has_onnxruntime() -> bool:
    with contextlib.suppress(ImportError, ValueError):
        return importlib.util.find_spec("onnxruntime") is not None
    return False


def _listed(value: Any) -> List[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _with_interpreter(given: Dict[str, Any], flags: Iterable[str]) -> Dict[str, Any]:
    """The ONNX Runtime of this interpreter, where one is asked for and none is named."""
    asks = any("onnxruntime" in _listed(given.get(name)) for name in ("vs", "engine"))
    is_named = given.get("onnxruntime") or os.environ.get("LAPIDARY_ONNXRUNTIME")
    if not asks or is_named or not sys.executable or not _has_onnxruntime():
        return given
    if "--onnxruntime" in flags:
        return {**given, "onnxruntime": sys.executable}
    if "--engine" not in flags or "engine" not in given:
        return given
    # compare: --engine itself takes the path of an interpreter
    names = [sys.executable if name == "onnxruntime" else name for name in _listed(given["engine"])]
    return {**given, "engine": names}


def _check_positions(name: str, positional: List[Dict[str, Any]], models: Any) -> None:
    if len(models) <= len(positional) or any(option["is_repeatable"] for option in positional):
        return
    places = " ".join(option["value_name"] for option in positional) or "nothing"
    raise UsageError(
        f"{name}() takes {places} by position, found {len(models)}; options are written "
        "with their names"
    )


def _signature(keywords: List[str]) -> inspect.Signature:
    """What help() and completion show: models, then options by name, None where not given."""
    kind = inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(name, kind, default=None) for name in ["on_progress", *keywords]]
    return inspect.Signature([inspect.Parameter("models", inspect.Parameter.VAR_POSITIONAL), *named])


def _make_function(command: Dict[str, Any]) -> Callable[..., Any]:
    name: str = command["name"]
    declared = command["options"]
    flags = {option["names"][-1] for option in declared}
    has_json = "--json" in flags
    hidden = {"--help", "--json", "--quiet"}
    shown = [option for option in declared if option["names"][-1] not in hidden]
    positional = [option for option in shown if option["is_positional"]]

    def function(
        *models: Any, on_progress: Optional[ProgressFunction] = None, **given: Any
    ) -> Any:
        with contextlib.ExitStack() as stack:
            _check_positions(name, positional, models)
            options = _with_files(name, _with_interpreter(given, flags), stack)
            arguments = [name, *arguments_of(name, shown, options), "--quiet"]
            if models:
                arguments.append("--")
                arguments += [stack.enter_context(arrays.as_argument(model)) for model in models]
            if has_json:
                at = arguments.index("--") if models else len(arguments)
                return call(arguments[:at] + ["--json"] + arguments[at:], on_progress, name)
            return call_for_text(arguments, on_progress)

    function.__name__ = function.__qualname__ = name
    keywords = [python_name(option) for option in shown if not option["is_positional"]]
    function.__signature__ = _signature(keywords)  # type: ignore[attr-defined]
    function.__module__ = "lapidary"
    places = ", ".join(option["value_name"] for option in positional)
    lines = [f"{command['summary']}.", "", f"The command ``lapidary-cli {name}``.", "", "Args:"]
    if positional:
        lines.append(f"    models: {places}.")
    lines += [f"    {help_of(option)}" for option in shown if not option["is_positional"]]
    lines.append("    on_progress: called with a stage and the part of it that is done.")
    function.__doc__ = "\n".join(lines)
    return function


_COMMANDS: List[Dict[str, Any]] = _engine.commands()
functions: Dict[str, Callable[..., Any]] = {
    command["name"]: _make_function(command)
    for command in _COMMANDS
    if command["name"] not in _NOT_FUNCTIONS
}


def option_names(command: str) -> List[str]:
    """The keyword arguments of the function of that name."""
    for described in _COMMANDS:
        if described["name"] == command:
            return [python_name(option) for option in described["options"]]
    raise KeyError(f"there is no command {command!r}")

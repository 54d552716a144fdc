# SPDX-License-Identifier: Apache-2.0
"""Models: opened, looked at, changed into others, saved."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import weakref
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Union

from . import _engine, arrays, commands, notebook
from .options import arguments_of
from .results import Result

PathLike = Union[str, "os.PathLike[str]"]
ProgressFunction = Callable[[str, Optional[float]], Any]


class Optimized(NamedTuple):
    """What :meth:`Model.optimize` gives."""

    model: "Model"
    report: "Report"

    def _repr_html_(self) -> str:
        return notebook.html_of_pair(self.model, self.report)


class Report(Result):
    """Passes, rewrites and near misses of an optimization: ``pipeline.schema.json``.

    ``notes``: sentences, one for each change that was made beside the passes.
    """

    def _repr_html_(self) -> str:
        return notebook.html_of_report(self)


class Model:
    """An ONNX model. It never changes: what changes a model gives a new one.

    Made by :func:`lapidary.open`, :meth:`sample`, :meth:`from_bytes` or :meth:`from_onnx`.
    """

    def __init__(self, engine: Any, word: str = "", name: str = "") -> None:
        if not isinstance(engine, _engine.Model):
            raise TypeError("a model is opened by lapidary.open(path), or made by Model.sample(), "
                            "Model.from_bytes() or Model.from_onnx()")  # fmt: skip
        self._engine = engine
        self._word = word  # that names it on a command line; empty: it is in this process alone
        self._name = name or word  # for people; empty: that of the graph
        self._file: Optional[str] = None  # written for commands

    @staticmethod
    def open(
        path: PathLike, channel_block: int = 0, on_progress: Optional[ProgressFunction] = None
    ) -> "Model":
        """Reads a file of ONNX or ONNX Runtime (.ort), checked throughout; see lapidary.open()."""
        word = arrays.path_of(path)
        if word.startswith("sample:"):
            return Model.sample(word[len("sample:"):])
        return Model(_engine.open_model(word, channel_block, on_progress), word)

    @staticmethod
    def sample(name: str, seed: int = 1) -> "Model":
        """A well-known architecture with random weights; lapidary.samples() lists them."""
        word = f"sample:{name}" if seed == 1 else ""
        return Model(_engine.sample_model(name, seed), word, f"sample:{name}")

    @staticmethod
    def from_bytes(data: bytes, folder: PathLike = "") -> "Model":
        """From what a model file holds. ``folder``: where external data lies; "": refused."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            found = type(data).__name__
            raise TypeError(f"expected bytes, found {found}: lapidary.open(path) reads a file")
        return Model(_engine.model_of_bytes(bytes(data), os.fspath(folder)))

    @staticmethod
    def from_onnx(model: Any, folder: PathLike = "") -> "Model":
        """From an ``onnx.ModelProto``."""
        if not hasattr(model, "SerializeToString"):
            raise TypeError(f"expected an onnx.ModelProto, found {type(model).__name__}")
        return Model.from_bytes(model.SerializeToString(), folder)

    def to_bytes(self) -> bytes:
        """What a file of the model holds. Raises NotSupportedError above 2 GB."""
        data: bytes = self._engine.to_bytes()
        return data

    def to_onnx(self) -> Any:
        """An ``onnx.ModelProto``; needs the package onnx."""
        import onnx

        return onnx.load_from_string(self.to_bytes())

    def save(
        self,
        path: PathLike,
        external_data: Optional[int] = None,
        overwrite: bool = False,
        on_progress: Optional[ProgressFunction] = None,
    ) -> List[str]:
        """Writes the file, whole or not at all.

        Args:
            external_data: weights of at least so many bytes go to a second file; None: only where
                the model would pass 2 GB.
            overwrite: the file that the model was opened from may be written.
        Returns:
            Sentences about files of weights that stay, usually none.
        """
        notes: List[str] = self._engine.save(os.fspath(path), external_data, overwrite, on_progress)
        return notes

    def info(self) -> Result:
        """What the model holds: the members of ``lapidary-cli info --json``."""
        return Result(json.loads(self._engine.info()), "info")

    def optimize(
        self, on_progress: Optional[ProgressFunction] = None, **options: Any
    ) -> Optimized:
        """Optimizes the model, and says what every pass did and almost did.

        Args:
            level: "disabled", "basic", "extended" (as on the command line where none is given) or
                "all".
            target: "portable", "plain" or "cpu".
            disable_pass, enable_pass, only_pass: a name or several.
            rules: files with rewriting rules.
            session_passes: "on", "off" or "auto".
            dim: sizes of symbolic dimensions by name, in elements.
            static_batch, opset, stop_after: numbers. keep_output: a name or several.
            on_progress: called with a stage and the part of it that is done.
        """
        arguments = arguments_of("optimize", _OPTIMIZE_OPTIONS, options)
        made, report, notes = _engine.optimize_model(self._engine, arguments, on_progress)
        members = {**json.loads(report), "notes": notes}
        name = f"{self._shown_name()}, optimized at {members['level']}"
        return Optimized(Model(made, name=name), Report(members, "optimize"))

    def edit(self, script: str, on_progress: Optional[ProgressFunction] = None) -> "Model":
        """The model after the lines of an edit script (help page "Edit a model by a script")."""
        if not isinstance(script, str):
            found = type(script).__name__
            raise TypeError(f'the lines of a script are one text, found {found}: "\\n".join(lines)')
        name = f"{self._shown_name()}, edited"
        return Model(_engine.edit_model(self._engine, script, on_progress), name=name)

    def quantize(
        self, on_progress: Optional[ProgressFunction] = None, **options: Any
    ) -> "Quantized":
        """A quantized model and what it costs in accuracy: the options of lapidary.quantize().

        Args:
            data: samples: a path as on the command line, a dict of arrays by the name of an input
                with many samples each, or a list of such dicts, each one sample.
        """
        if options.get("output") is not None:
            raise TypeError(
                "Model.quantize() has no output: save() writes the model that it gives, and "
                "lapidary.quantize(model, output=FILE) writes a file"
            )
        options.pop("output", None)
        folder = tempfile.mkdtemp(prefix="lapidary-")
        file = os.path.join(folder, "quantized.onnx")
        try:
            report = commands.functions["quantize"](
                self, output=file, on_progress=on_progress, **options
            )
            if "output" in report:  # no file that the caller asked for
                members = {**report.to_dict(), "output": ""}
                report = Result(members, "quantize", report.exit_code)
            name = f"{self._shown_name()}, quantized"
            made = None
            if os.path.exists(file):
                made = Model(_engine.open_model(file, 0, None), file, name)
        except BaseException:
            _remove(folder)
            raise
        weakref.finalize(report if made is None else made, _remove, folder)
        return Quantized(made, report)

    @contextlib.contextmanager
    def argument(self) -> Iterator[str]:
        """The word that names the model on a command line.

        A model that no file holds is written to a temporary one, which lives as long as the model.
        """
        if not self._word and not self._file:
            folder = tempfile.mkdtemp(prefix="lapidary-")
            file = os.path.join(folder, "model.onnx")
            self._engine.save(file)
            self._file = file
            weakref.finalize(self, _remove, folder)
        yield self._word or self._file or ""

    def _shown_name(self) -> str:
        return self._name or str(self.info().graph) or "model"

    def _repr_html_(self) -> str:
        return notebook.html_of_model(self.info())

    def __repr__(self) -> str:
        info = self.info()
        inputs, outputs = (
            ", ".join(f"{port.name}: {port.type}" for port in ports)
            for ports in (info.inputs, info.outputs)
        )
        name = self._name or info.graph
        return f"<lapidary.Model {name!r}: {info.nodes} nodes, {inputs} -> {outputs}>"


class Quantized(NamedTuple):
    """What :meth:`Model.quantize` gives; no model where only a ranking or a plan was asked for."""

    model: Optional[Model]
    report: Result

    def _repr_html_(self) -> str:
        return notebook.html_of_pair(self.model, self.report)


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


_OPTIMIZE_OPTIONS: List[Dict[str, Any]] = _engine.optimize_options()

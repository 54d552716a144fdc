# SPDX-License-Identifier: Apache-2.0
"""Sessions: a model compiled, and run as often as wanted."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _engine, arrays
from .model import Model, PathLike
from .options import arguments_of

ProgressFunction = Callable[[str, Optional[float]], Any]


class Session:
    """A compiled model. Several threads may call :meth:`run` at once, which holds no lock of Python.

    Args:
        model: a :class:`Model`, a path, or "sample:NAME".
        intra: threads inside an operator; 0: one per core. With ``intra=1`` as many runs go side by
            side as threads of Python call.
        level: "disabled", "basic", "extended" or "all"; all unless given. A model that optimize()
            made is optimized again, unless this is "disabled".
        session_passes: "on", "off" or "auto".
        disable_pass, rules, recipe, channel_block, inter, execution, no_spinning, config, compute,
            provider, fallback: as ``lapidary-cli run`` and ``bench`` have them.
        on_progress: called with a stage and the part of it that is done.
    """

    def __init__(
        self,
        model: Union[Model, PathLike],
        on_progress: Optional[ProgressFunction] = None,
        **options: Any,
    ) -> None:
        opened = model if isinstance(model, Model) else Model.open(model)
        words = arguments_of("Session", _SESSION_OPTIONS, options)
        self._engine = _engine.make_session(opened._engine, words, on_progress)
        self._dtypes: Dict[str, str] = dict(self._engine.inputs)
        self._model = opened

    def run(
        self,
        inputs: Mapping[str, Any],
        outputs: Union[str, Sequence[str], None] = None,
        out: Optional[Mapping[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Runs the model once. Ctrl-C ends a run within its steps too, where the run before took
        longer than 20 ms or there was none; else between them.

        Args:
            inputs: arrays by name: of NumPy, or with ``__dlpack__`` (PyTorch, JAX), read where they
                lie if they are contiguous; numbers and lists; a list of arrays for a sequence; None
                for an absent optional.
            outputs: a name or several, of outputs or inner values, to return; None: all outputs.
            out: arrays by the name of an output, of its element type and shape, that the result is
                written to.
        Returns:
            Arrays of NumPy by name, over the engine's memory. Those that share it with an input or
            a weight cannot be written to.
        """
        _check_arguments(inputs, outputs, out)
        made = self._engine.run(
            arrays.named(inputs, self._dtypes),
            [outputs] if isinstance(outputs, str) else list(outputs or ()),
            [(name, arrays.to_buffer(value)) for name, value in (out or {}).items()],
        )
        return {name: arrays.from_engine(value) for name, value in made}

    def generate_inputs(
        self, seed: int = 0, dim: Optional[Mapping[str, int]] = None
    ) -> Dict[str, Any]:
        """Inputs as ``lapidary-cli run --seed SEED --dim NAME=N`` makes them."""
        made = self._engine.generate_inputs(seed, dict(dim or {}))
        return {name: arrays.from_engine(value) for name, value in made}

    @property
    def inputs(self) -> List[str]:
        """Names of the inputs."""
        return [name for name, _ in self._engine.inputs]

    @property
    def outputs(self) -> List[str]:
        """Names of the outputs."""
        names: List[str] = self._engine.outputs
        return names

    @property
    def input_types(self) -> Dict[str, str]:
        """Element type and shape of each input: ``{"x": "f32[batch,3,224,224]"}``."""
        types = {port.name: port.type for port in self._model.info().inputs}
        return {name: types.get(name, "") for name in self.inputs}

    @property
    def output_types(self) -> Dict[str, str]:
        """Element type and shape of each output."""
        types = {port.name: port.type for port in self._model.info().outputs}
        return {name: types.get(name, "") for name in self.outputs}

    @property
    def threads(self) -> int:
        """Threads that a run computes with, the caller's included."""
        count: int = self._engine.threads
        return count

    @property
    def level(self) -> str:
        """Level that the model was optimized at."""
        name: str = self._engine.level
        return name

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {type}" for name, type in self.input_types.items())
        name = self._model._shown_name()
        return f"<lapidary.Session {name!r} level={self.level} threads={self.threads}, {inputs}>"


def _check_arguments(inputs: Any, outputs: Any, out: Any) -> None:
    """Raises TypeError that says what to write where the arguments of run() have other types."""
    if not isinstance(inputs, Mapping):
        hint = "run({NAME: array}, outputs=[NAME])"
        if isinstance(outputs, Mapping):  # the order of onnxruntime
            raise TypeError(f"inputs come first, then names of outputs: {hint}")
        found = type(inputs).__name__
        raise TypeError(f"inputs are a dict of arrays by name, found {found}: {hint}")
    if not all(isinstance(name, str) for name in (*inputs, *(outputs or ()))):
        raise TypeError("names of inputs and outputs are texts")
    if out is not None and not isinstance(out, Mapping):
        raise TypeError(f"out is a dict of arrays by name, found {type(out).__name__}")


_SESSION_OPTIONS: List[Dict[str, Any]] = _engine.session_options()

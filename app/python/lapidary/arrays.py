# SPDX-License-Identifier: Apache-2.0
"""Arrays on their way into the engine and out of it, without copies where the memory allows."""

from __future__ import annotations

import contextlib
import os
import zipfile
from typing import Any, Dict, Iterator, Mapping

import numpy

from . import _engine
from .errors import Error, InvalidInputError, error_of

# Names of NumPy and of ml_dtypes -> names of the engine.
_ENGINE_NAMES: Dict[str, str] = {
    "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "bool": "bool", "complex64": "c64", "complex128": "c128",
    "float8_e4m3fn": "f8e4m3fn", "float8_e4m3fnuz": "f8e4m3fnuz",
    "float8_e5m2": "f8e5m2", "float8_e5m2fnuz": "f8e5m2fnuz", "float8_e8m0fnu": "f8e8m0",
}  # fmt: skip
_NUMPY_NAMES: Dict[str, str] = {engine: name for name, engine in _ENGINE_NAMES.items()}
# What NumPy has no type for: the same bytes as whole numbers, unless ml_dtypes is installed.
_FOREIGN = {"bf16": "uint16", "f8e4m3fn": "uint8", "f8e4m3fnuz": "uint8",
            "f8e5m2": "uint8", "f8e5m2fnuz": "uint8", "f8e8m0": "uint8"}  # fmt: skip
_LESS_THAN_A_BYTE = {"u4", "i4", "u2", "i2", "f4e2m1"}


def is_array(value: Any) -> bool:
    """Whether the value is an array, not a name of a file."""
    return not isinstance(value, (str, bytes, os.PathLike))


def _plain(value: Any, dtype: str) -> Any:
    """Numbers and lists as an array; of the declared type where they do not fix one."""
    if isinstance(value, numpy.ndarray):
        return value
    wanted = _NUMPY_NAMES.get(dtype) if isinstance(value, (bool, int, float, list, tuple)) else None
    return numpy.asarray(value, dtype=wanted)


def to_engine(value: Any, dtype: str = "") -> Any:
    """A tensor of the engine over the memory of ``value``; a copy only where that is not contiguous.

    ``value``: an array of NumPy, whatever has ``__dlpack__`` or the buffer protocol, numbers, texts;
    a list of arrays where the model takes a sequence; None where an optional input is absent.
    ``dtype``: the element type that the model declares, for lists and plain numbers.
    """
    if value is None or isinstance(value, _engine.Tensor):
        return value
    if not isinstance(value, numpy.ndarray):
        if hasattr(value, "__dlpack__"):
            return _engine.tensor_of_dlpack(value)
        if not dtype and isinstance(value, (list, tuple)):  # a sequence
            return [to_engine(item) for item in value]
    array = _plain(value, dtype)
    if array.dtype.kind in "OUS":
        texts = [t.decode() if isinstance(t, bytes) else str(t) for t in array.ravel().tolist()]
        return _engine.tensor_of_texts(texts, list(array.shape))
    array = numpy.ascontiguousarray(array).reshape(array.shape)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    name = _ENGINE_NAMES.get(array.dtype.name, "")
    if name in _FOREIGN:
        return _engine.tensor_over(array.view(_FOREIGN[name]), name, list(array.shape))
    return _engine.tensor_over(array)


def to_buffer(value: Any) -> Any:
    """A tensor over memory that a run may write to. Raises InvalidInputError where it is not so."""
    if not isinstance(value, numpy.ndarray) and hasattr(value, "__dlpack__"):
        return _engine.tensor_of_dlpack(value, True)
    name = _ENGINE_NAMES.get(value.dtype.name, "") if isinstance(value, numpy.ndarray) else ""
    if name in _FOREIGN:
        return _engine.tensor_over(value.view(_FOREIGN[name]), name, list(value.shape), True)
    return _engine.tensor_over(value, writable=True)


def from_engine(value: Any) -> Any:
    """What a run gave as NumPy: arrays over the engine's memory, lists, dicts, None."""
    if isinstance(value, list):
        return [from_engine(item) for item in value]
    if not isinstance(value, _engine.Tensor):
        return value
    dtype: str = value.dtype
    if dtype == "string":
        texts = numpy.empty(len(value.elements()), dtype=object)
        texts[:] = value.elements()
        return texts.reshape(value.shape)
    if dtype in _LESS_THAN_A_BYTE:
        kind = "float32" if dtype.startswith("f") else "int8"
        return numpy.asarray(value.elements(), dtype=kind).reshape(value.shape)
    array = numpy.asarray(value)
    if dtype in _FOREIGN:
        with contextlib.suppress(ImportError, AttributeError):
            import ml_dtypes

            array = array.view(getattr(ml_dtypes, _NUMPY_NAMES[dtype]))
    return array


def save(path: str, value: Any) -> None:
    """Writes an array as .npy."""
    numpy.save(path, numpy.asarray(value), allow_pickle=False)


def save_all(path: str, values: Mapping[str, Any]) -> None:
    """Writes arrays by name as .npz. Any name may be one, unlike those that numpy.savez() takes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in values.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                numpy.lib.format.write_array(file, numpy.asarray(value), allow_pickle=False)


def path_of(value: Any) -> str:
    """A path as text. Raises TypeError that says what to write for what is no path."""
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if isinstance(path, str):
        return path
    found = type(value).__name__
    if isinstance(value, (bytes, bytearray, memoryview)):
        hint = ": lapidary.Model.from_bytes(data) takes what a file holds"
    elif hasattr(value, "SerializeToString"):
        hint = ": lapidary.Model.from_onnx(model) takes it"
    else:
        hint = ""
    raise TypeError(f'expected a path, "sample:NAME" or a lapidary.Model, found {found}{hint}')


@contextlib.contextmanager
def as_argument(model: Any) -> Iterator[str]:
    """The word of a command line that names the model, as long as the context lasts."""
    if hasattr(model, "argument"):
        with model.argument() as word:
            yield word
    else:
        yield path_of(model)


def named(values: Mapping[str, Any], dtypes: Mapping[str, str]) -> list[tuple[str, Any]]:
    """Inputs by name as the engine takes them. Errors name the input."""
    made = []
    for name, value in values.items():
        place = f'input "{name}"'
        try:
            made.append((name, to_engine(value, dtypes.get(name, ""))))
        except Error as raised:
            raise error_of(raised.code, raised.message, (place, *raised.where)) from raised
        except (BufferError, RuntimeError, TypeError, ValueError) as raised:
            raise InvalidInputError(f"the array cannot be read: {raised}", (place,)) from raised
    return made

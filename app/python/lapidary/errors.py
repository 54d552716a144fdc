# SPDX-License-Identifier: Apache-2.0
"""Errors of the engine as exceptions.

Each has ``code``, a word for programs, ``message``, one sentence with what was expected and what
was found, and ``where``, the places as texts from the outermost inwards.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Any, Dict, Sequence, Tuple, Type

__all__ = [
    "CancelledError", "CheckFailedError", "Error", "InternalError", "InvalidInputError",
    "InvalidModelError", "IoError", "LimitExceededError", "MissingFileError",
    "NotSupportedError", "ProcessEndedError", "UsageError",
]  # fmt: skip


class Error(Exception):
    """What the engine refuses or cannot do.

    Attributes:
        code: ``"invalid_model"``, ``"not_supported"``, ...: the codes of ``--json`` on the
            command line, and ``"usage"``.
        message: one sentence, without the places.
        where: the places as texts, outermost first: ``("net.onnx", 'node "conv1"')``.
        exit_code: what ``lapidary-cli`` would have ended with.
    """

    code = "internal"
    exit_code = 6

    def __init__(self, message: str, where: Sequence[str] = (), code: str = "") -> None:
        self.message = message
        self.where: Tuple[str, ...] = tuple(where)
        if code:
            self.code = code
        super().__init__(": ".join((*self.where, message)))


class UsageError(Error, ValueError):
    """An option that does not exist, or a value that it does not take."""

    code, exit_code = "usage", 2


class InvalidModelError(Error, ValueError):
    """The file is not a valid ONNX model."""

    code, exit_code = "invalid_model", 3


class InvalidInputError(Error, ValueError):
    """An array, a file or a value does not fit."""

    code, exit_code = "invalid_input", 3


class LimitExceededError(Error, MemoryError):
    """More memory, threads or nodes than a limit allows."""

    code, exit_code = "limit_exceeded", 3


class IoError(Error, OSError):
    """The system refused to read or write a file."""

    code, exit_code = "io_failure", 3


class MissingFileError(IoError, FileNotFoundError):
    """A file that does not exist; ``errno`` and ``filename`` are those of FileNotFoundError."""

    def __init__(
        self, message: str, where: Sequence[str] = (), code: str = "", filename: str = ""
    ) -> None:
        super().__init__(message, where, code)
        self.errno, self.strerror = errno.ENOENT, os.strerror(errno.ENOENT)
        self.filename = filename

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.message, self.where, self.code, self.filename)


class ProcessEndedError(Error):
    """A separate process did the work and died of it."""

    code, exit_code = "process_ended", 3


class NotSupportedError(Error, NotImplementedError):
    """A valid request that this program cannot fulfil."""

    code, exit_code = "not_supported", 4


class CancelledError(Error):
    """The work was cancelled."""

    code, exit_code = "cancelled", 5


class CheckFailedError(Error):
    """A comparison found a difference."""

    code, exit_code = "check_failed", 1


class InternalError(Error):
    """A mistake in Lapidary: please report it."""


_BY_CODE: Dict[str, Type[Error]] = {
    kind.code: kind
    for kind in (
        UsageError,
        InvalidModelError,
        InvalidInputError,
        LimitExceededError,
        IoError,
        ProcessEndedError,
        NotSupportedError,
        CancelledError,
        CheckFailedError,
        InternalError,
    )
}


_SAYS_MISSING = re.compile("no such file|does not exist", re.IGNORECASE)


def error_of(code: str, message: str, where: Sequence[str]) -> Error:
    """The exception for an error of the engine."""
    if code == IoError.code and _SAYS_MISSING.search(message):
        named = re.search('"([^"]+)"', message)
        file = named[1] if named else where[0] if where else ""
        return MissingFileError(message, where, code, file)
    return _BY_CODE.get(code, Error)(message, where, code)

# SPDX-License-Identifier: Apache-2.0
"""Lapidary for Python: runs, checks, profiles, optimizes and quantizes ONNX models.

    import lapidary
    model = lapidary.open("net.onnx")
    fast, report = model.optimize(level="all")
    outputs = lapidary.Session(fast, intra=1).run({"x": array})
    lapidary.profile(model, runs=20).to_pandas("operators")

Every command of ``lapidary-cli`` is a function of the same name, options and defaults:
``help(lapidary.bench)``. Errors are :class:`Error` with ``code``, ``message`` and ``where``.
"""

from __future__ import annotations

import builtins as _builtins
import os as _os
from typing import Any, List, Tuple

from . import _engine, errors, farm, program
from .commands import functions as _functions
from .commands import option_names
from .errors import *  # noqa: F403
from .model import Model, Optimized, Quantized, Report
from .results import Result
from .session import Session

__version__: str = _engine.version
# What is measured in fresh processes is measured by the program that comes with the package.
if _os.access(program.FILE, _os.X_OK):
    _engine.use_program(program.FILE)
open = Model.open  # noqa: A001
Tensor = _engine.Tensor

for _name, _function in _functions.items():
    globals().setdefault(_name, _function)


def samples() -> List[Tuple[str, str]]:
    """Names of the sample models, and a sentence about each."""
    listed: List[Tuple[str, str]] = _engine.samples()
    return listed


def __dir__() -> List[str]:
    return _builtins.sorted(
        {*_functions, *errors.__all__, "Model", "Optimized", "Quantized", "Report", "Result", "Session",
         "Tensor", "errors", "farm", "open", "option_names", "samples", "__version__"}
    )  # fmt: skip


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'lapidary' has no {name!r}; it has {', '.join(__dir__())}")

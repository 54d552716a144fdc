# SPDX-License-Identifier: Apache-2.0
"""The command line that comes with the package: ``lapidary-cli``."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "lapidary-cli")


def main() -> NoReturn:
    """Goes on as lapidary-cli, with the arguments of this process."""
    os.execv(FILE, [FILE, *sys.argv[1:]])

# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share."""

import json
import os
import subprocess
import sys
import unittest

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: this interpreter has no NumPy")
    sys.exit(77)
try:
    import lapidary  # noqa: F401
except ImportError as missing:
    if "_engine" not in str(missing):
        raise
    print(f"skipped: the module was built for another interpreter ({missing})")
    sys.exit(77)


def command_line(*words):
    """What lapidary-cli prints with --json."""
    ran = subprocess.run(
        [os.environ["LAPIDARY_CLI"], *words, "--json"], capture_output=True, check=False
    )
    if not ran.stdout:
        raise AssertionError(ran.stderr.decode())
    return json.loads(ran.stdout)


def without(value, names):
    """The value without members of these names, at any depth: times differ from run to run."""
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    return [without(v, names) for v in value] if isinstance(value, list) else value


def main():
    unittest.main(verbosity=1)

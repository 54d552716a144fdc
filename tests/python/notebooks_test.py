# SPDX-License-Identifier: Apache-2.0
"""Notebooks of resources/notebooks: their code runs, cell by cell, and by nbclient where it is installed."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import unittest

import package

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "resources" / "notebooks"


def notebooks():
    return sorted(FOLDER.glob("*.ipynb"))


class Notebooks(unittest.TestCase):
    def test_there_are_twelve(self):
        self.assertEqual(len(notebooks()), 12)

    def test_code_runs(self):
        for path in notebooks():
            scope = {}
            for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
                if cell["cell_type"] != "code":
                    continue
                self.assertFalse(cell["outputs"], f"{path.name} is kept without outputs")
                code = compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec")
                with self.subTest(notebook=path.name, cell=number):
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(code, scope)  # noqa: S102

    @unittest.skipUnless(importlib.util.find_spec("nbclient"), "nbclient is not installed")
    def test_nbclient_runs_them(self):
        import nbclient
        import nbformat

        # a kernel takes seconds to start: all of them where the variable asks for that
        for path in notebooks()[: None if "LAPIDARY_ALL_NOTEBOOKS" in os.environ else 1]:
            with self.subTest(notebook=path.name):
                notebook = nbformat.read(path, as_version=4)
                nbclient.NotebookClient(notebook, timeout=300).execute()


if __name__ == "__main__":
    package.main()

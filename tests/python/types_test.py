# SPDX-License-Identifier: Apache-2.0
"""Type stubs of the package: mypy accepts the package and a program that uses it, and finds mistakes."""

import ast
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import package
import lapidary

USE = """
import lapidary
model = lapidary.open("net.onnx")
fast, report = model.optimize(level="all")
nodes: int = lapidary.info(fast).nodes
share: float = lapidary.profile(fast, runs=2).operators[0].calls
text: str = lapidary.snippet("net.onnx")
lapidary.run("net.onnx", dim={"batch": 1}, seed=1, disable_pass=["a", "b"], bgr=True)
try:
    lapidary.Session(model, intra=1).run({})
except lapidary.Error as error:
    print(error.code, error.where)
"""
MISTAKES = """
import lapidary
lapidary.run("net.onnx", sed=1)
lapidary.open("net.onnx").optimise()
words: str = lapidary.info("net.onnx").nodes
"""


def find_mypy():
    for python in (sys.executable, os.environ.get("LAPIDARY_MYPY_PYTHON", "")):
        tried = [python, "-m", "mypy"]
        if python and subprocess.run([*tried, "--version"], capture_output=True).returncode == 0:
            return tried
    return None


MYPY = find_mypy()


class Stubs(unittest.TestCase):
    """What holds without mypy."""

    def setUp(self):
        file = pathlib.Path(lapidary.__file__).with_suffix(".pyi")
        self.body = ast.parse(file.read_text(encoding="utf-8")).body

    def test_every_function_has_its_options(self):
        typed = {part.name: part for part in self.body if isinstance(part, ast.FunctionDef)}
        for name in dir(lapidary):
            if not hasattr(getattr(lapidary, name), "__doc__") or name in ("open", "samples"):
                continue
            if callable(getattr(lapidary, name)) and name.islower() and name != "option_names":
                found = {argument.arg for argument in typed[name].args.kwonlyargs}
                wanted = set(lapidary.option_names(name)) - {"help", "json", "quiet"}
                self.assertLessEqual(found - {"on_progress"}, wanted)
                self.assertIn("on_progress", found)

    def test_results_have_the_members_that_commands_print(self):
        classes = {part.name: part for part in self.body if isinstance(part, ast.ClassDef)}
        for function, name in (
            (lapidary.info, "InfoResult"),
            (lapidary.memory, "MemoryResult"),
            (lapidary.optimize, "OptimizeResult"),
        ):
            typed = {part.name for part in classes[name].body if isinstance(part, ast.FunctionDef)}
            self.assertLessEqual(set(function("sample:mlp").keys()), typed, name)


@unittest.skipUnless(MYPY, "mypy is not installed")
class Types(unittest.TestCase):
    def mypy(self, *words):
        home = str(pathlib.Path(lapidary.__file__).parent.parent)
        with tempfile.TemporaryDirectory() as cache:
            return subprocess.run(
                [*MYPY, "--cache-dir", cache, "--ignore-missing-imports", *words],
                capture_output=True, text=True, cwd=cache, env={**os.environ, "MYPYPATH": home},
            )  # fmt: skip

    def test_the_package_is_typed(self):
        ran = self.mypy("--strict", "-p", "lapidary")
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_a_program_that_uses_it(self):
        self.assertEqual((ran := self.mypy("--strict", "-c", USE)).returncode, 0, ran.stdout)

    def test_mistakes_are_found(self):
        ran = self.mypy("-c", MISTAKES)
        self.assertIn("sed", ran.stdout)
        self.assertIn("optimise", ran.stdout)
        self.assertIn('variable has type "str"', ran.stdout)


if __name__ == "__main__":
    package.main()

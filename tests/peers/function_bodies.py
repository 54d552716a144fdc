# SPDX-License-Identifier: Apache-2.0
"""Nodes written out by `expand` give the outputs of ONNX's own node cases.

    function_bodies.py CLI [--all]

Every node case of the package `onnx` whose operator has a function body, one in three without --all, is expanded by
`lapidary-cli edit`. ONNX's reference evaluator runs the result on the inputs of the case, and the outputs are compared
with those of the case. A node that is not expanded must say why; reasons are counted.

Exit code 77 when a Python package is not installed: skipped.
"""
import collections
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    import onnx
    import onnx.defs
    from onnx.backend.test.case.node import collect_testcases
    from onnx.reference import ReferenceEvaluator
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

# Their bodies draw numbers, hold Loops, or are still in preview.
WITHOUT_PARTS = {"Bernoulli", "SequenceMap", "CausalConvWithState", "LinearAttention", "FlexAttention"}


def operators_with_bodies():
    return {schema.name for schema in onnx.defs.get_all_schemas_with_history()
            if schema.domain == "" and (schema.has_function or schema.has_context_dependent_function)}


def cases(operators):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = collect_testcases(None)
    for case in found:
        nodes = case.model.graph.node if case.model is not None else []
        if len(nodes) == 1 and nodes[0].domain == "" and nodes[0].op_type in operators and not any(
                isinstance(value, onnx.TensorProto) for inputs, _ in case.data_sets for value in inputs):
            yield case  # types that NumPy lacks come as TensorProto, which the evaluator does not take everywhere


def is_close(expected, found):
    expected, found = np.asarray(expected), np.asarray(found)
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return False
    if expected.dtype.kind in "fV" or expected.dtype.itemsize == 2:
        tolerance = 1e-4 if expected.dtype.itemsize >= 4 else 2e-2
        return np.allclose(expected.astype(np.float64), found.astype(np.float64), rtol=tolerance, atol=tolerance,
                           equal_nan=True)
    return np.abs(expected.astype(np.int64) - found.astype(np.int64)).max(initial=0) <= 1


def check(case, cli, folder):
    """What is wrong, and why the node stayed; both empty where it was expanded rightly."""
    operator = case.model.graph.node[0].op_type
    source, result = folder / "case.onnx", folder / "parts.onnx"
    onnx.save(case.model, source)
    done = subprocess.run([cli, "edit", source, "-e", f"expand op:{operator}", "-o", result], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.strip().split(f"({operator}): ")[-1]
        return "" if reason else f"refused without a reason: {done.stdout[-300:]}", reason[:160]
    parts = onnx.load(result)
    if any(node.op_type == operator for node in parts.graph.node):
        return "the node is still there", ""
    for inputs, outputs in case.data_sets:
        names = [value.name for value in case.model.graph.input]
        try:
            found = ReferenceEvaluator(parts).run(None, dict(zip(names, inputs)))
        except Exception as error:  # pylint: disable=broad-except
            return f"the reference evaluator does not run it: {error}"[:300], ""
        if not all(is_close(*pair) for pair in zip(outputs, found)):
            return "outputs differ", ""
    return "", ""


def main():
    cli = pathlib.Path(sys.argv[1]).resolve()
    step = 1 if "--all" in sys.argv else 3
    operators = operators_with_bodies() - WITHOUT_PARTS
    failures, stayed, expanded = [], collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        for case in list(cases(operators))[::step]:
            wrong, reason = check(case, cli, pathlib.Path(name))
            operator = case.model.graph.node[0].op_type
            if wrong:
                failures.append(f"{case.name}: {wrong}")
            elif reason:
                stayed[f"{operator}: {reason}"] += 1
            else:
                expanded[operator] += 1
    print(f"{sum(expanded.values())} node cases of {len(expanded)} operators agree")
    for reason, count in stayed.most_common():
        print(f"  {count} stay: {reason}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""`compare --by node` between this program and ONNX Runtime, and between releases of ONNX Runtime.

    slower_operators.py CLI [--releases PLACE PLACE] [--model FILE ...] [--only TEXT] [--seconds S]
                         [--write FOLDER]

Without --releases, samples run here and in the ONNX Runtime of the Python that runs this script: rows that both sides
have must hold at least 90 % of the time of the kernels of either, so that fused nodes are matched. How long anything
takes decides nothing.

With --releases, whose places are virtual environments, interpreters or libraries, networks with an operator that
users reported as slower are compared, or those of --model: GRU (1.20 to 1.21, issue 27188 of microsoft/onnxruntime, a
single time step above all) and TreeEnsembleRegressor (1.22 to 1.23, issue 27187, many rows in a small tree), each
beside other operators. Of each the sentences are printed, and the row of the operator with its interval, which says how
large a loss can be that does not show. A to A comes first, where nothing may be named.

Exit code 77 when the Python packages onnx, onnxruntime or numpy are not installed: skipped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime  # noqa: F401 - the release that is compared with unless others are named
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

LEAST_SHARED = 0.9
SAMPLES = [("lenet", "all"), ("bert-tiny", "all"), ("bert-tiny", "disabled")]


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def gru_network(steps=64, width=96, hidden=128, directions=2):
    """MatMul, GRU, MatMul, Softmax."""
    random = np.random.default_rng(0)

    def weights(name, *shape):
        return constant(name, (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32))

    nodes = [
        helper.make_node("MatMul", ["x", "project"], ["p"], "project"),
        helper.make_node("GRU", ["p", "w", "r", "b"], ["g", "h"], "gru", hidden_size=hidden, linear_before_reset=1,
                         direction="bidirectional" if directions == 2 else "forward"),
        helper.make_node("Transpose", ["g"], ["t"], "transpose", perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["t", "flat"], ["f"], "reshape"),
        helper.make_node("MatMul", ["f", "out"], ["m"], "head"),
        helper.make_node("Softmax", ["m"], ["y"], "softmax"),
    ]
    constants = [weights("project", width, width), weights("w", directions, 3 * hidden, width),
                 weights("r", directions, 3 * hidden, hidden), weights("b", directions, 6 * hidden),
                 weights("out", directions * hidden, width),
                 constant("flat", np.array([steps, -1, directions * hidden], np.int64))]
    graph = helper.make_graph(nodes, "gru", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [steps, 1, width])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None),
                               helper.make_tensor_value_info("h", TensorProto.FLOAT, None)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def trees_network(rows=256, features=32, trees=100, depth=7):
    """A Mul that scales features, then a forest of full trees, then an Add."""
    random = np.random.default_rng(1)
    inner, leaves = 2 ** depth - 1, 2 ** depth
    per_tree = inner + leaves
    fields = {"nodes_treeids": [], "nodes_nodeids": [], "nodes_featureids": [], "nodes_values": [], "nodes_modes": [],
              "nodes_truenodeids": [], "nodes_falsenodeids": [], "target_treeids": [], "target_nodeids": [],
              "target_ids": [], "target_weights": []}
    for tree in range(trees):
        for node in range(per_tree):
            is_leaf = node >= inner
            fields["nodes_treeids"].append(tree)
            fields["nodes_nodeids"].append(node)
            fields["nodes_featureids"].append(0 if is_leaf else int(random.integers(features)))
            fields["nodes_values"].append(0.0 if is_leaf else float(random.standard_normal()))
            fields["nodes_modes"].append("LEAF" if is_leaf else "BRANCH_LEQ")
            fields["nodes_truenodeids"].append(0 if is_leaf else 2 * node + 1)
            fields["nodes_falsenodeids"].append(0 if is_leaf else 2 * node + 2)
            if is_leaf:
                fields["target_treeids"].append(tree)
                fields["target_nodeids"].append(node)
                fields["target_ids"].append(0)
                fields["target_weights"].append(float(random.standard_normal()))
    nodes = [helper.make_node("Mul", ["x", "scale"], ["s"], "scale"),
             helper.make_node("TreeEnsembleRegressor", ["s"], ["t"], "trees", domain="ai.onnx.ml", n_targets=1,
                              aggregate_function="SUM", post_transform="NONE", **fields),
             helper.make_node("Add", ["t", "offset"], ["y"], "offset")]
    graph = helper.make_graph(nodes, "trees",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, features])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [constant("scale", np.ones(features, np.float32)),
                               constant("offset", np.zeros(1, np.float32))])
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 14), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=8)


NETWORKS = {
    "gru": (gru_network, "GRU"),
    "gru_step": (lambda: gru_network(steps=1, width=256, hidden=256, directions=1), "GRU"),
    "trees": (trees_network, "TreeEnsembleRegressor"),
    "small_tree": (lambda: trees_network(rows=1000, features=1, trees=1, depth=2), "TreeEnsembleRegressor"),
}


def compare(cli, model, *options):
    done = subprocess.run([str(cli), "compare", str(model), "--by", "node", "--json", *map(str, options)],
                          capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        return None, done.stderr.strip()
    return json.loads(done.stdout), ""


def shared(found, side):
    """The share of the time of kernels of a side that lies in rows which the other side has too."""
    rows = [g for g in found["groups"] if g["operators"] and g[side] is not None]
    whole = sum(g[side] for g in rows)
    both = sum(g[side] for g in rows if g["a_ms"] is not None and g["b_ms"] is not None and g["nodes"])
    return both / whole if whole > 0 else 1.0


def here_and_there(cli, folder):
    faults = []
    for name, level in SAMPLES:
        model = folder / f"{name}.onnx"
        if not model.exists():
            subprocess.run([str(cli), "sample", name, "-o", str(model)], check=True, capture_output=True)
        found, problem = compare(cli, model, "--engine", "lapidary", "--engine", sys.executable, "--level", level,
                                 "--pairs", 6, "--intra", 1)
        if not found:
            faults.append(f"{name}: {problem}")
            continue
        shares = {side: shared(found, side) for side in ("a_ms", "b_ms")}
        print(f"{name:10} level {level:9} {len(found['groups']):4} rows, "
              f"shared {shares['a_ms']:.1%} of A, {shares['b_ms']:.1%} of B; {found['sentences'][0]}")
        faults += [f"{name} at level {level}: rows that both have hold only {share:.1%} of {side[0].upper()}"
                   for side, share in shares.items() if share < LEAST_SHARED]
        if found["b"]["engine"] != "ONNX Runtime" or found["b"]["version"] != onnxruntime.__version__:
            faults.append(f"{name}: expected ONNX Runtime {onnxruntime.__version__} as B, found {found['b']}")
    return faults


def between(cli, model, operator, places, seconds):
    """Prints what is found; the row of the operator."""
    found, problem = compare(cli, model, "--engine", places[0], "--engine", places[1], "--seconds", seconds,
                             "--intra", 1)
    if not found:
        return None, problem
    versions = [f"{found[side]['engine']} {found[side]['version']}" for side in ("a", "b")]
    print(f"{pathlib.Path(model).stem}: {versions[0]} and {versions[1]}, {found['pairs']} pairs, "
          f"whole run {found['a']['wall_ms']:.3f} and {found['b']['wall_ms']:.3f} ms")
    for sentence in found["sentences"]:
        print(f"    {sentence}")
    for group in found["groups"]:
        if operator in (name.split("::")[-1] for name in group["operators"]):
            low, high = group["ci_ms"]
            a, b = (f"{ms:.3f}" if ms is not None else "-" for ms in (group["a_ms"], group["b_ms"]))
            print(f"    {operator}: {a} and {b} ms, B - A {group['difference_ms']:+.3f} [{low:+.3f}, {high:+.3f}]"
                  f"{', a difference' if group['significant'] else ', no difference that shows'}")
    return found, ""


def releases(cli, folder, options):
    models = [(pathlib.Path(file), "") for file in options.model]
    if not models:
        for name, (make, operator) in NETWORKS.items():
            if options.only not in name:
                continue
            models.append((folder / f"{name}.onnx", operator))
            onnx.save(make(), str(models[-1][0]))
    faults = []
    for model, operator in models:
        first, second = options.releases
        for places in ((first, first), (first, second)):
            found, problem = between(cli, model, operator, places, options.seconds)
            if not found:
                faults.append(f"{model}: {problem}")
            elif places[0] == places[1] and any(g["significant"] for g in found["groups"]):
                faults.append(f"{model}: a release differs from itself: {found['sentences'][0]}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--releases", nargs=2, metavar="PLACE")
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--only", default="", help="the networks whose names hold this")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--write", type=pathlib.Path, help="only write the networks to this folder")
    options = parser.parse_args()
    if options.write:
        for name, (make, _) in NETWORKS.items():
            onnx.save(make(), str(options.write / f"{name}.onnx"))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        faults = releases(options.cli, folder, options) if options.releases else here_and_there(options.cli, folder)
    print("\n".join(faults) if faults else "all well")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the node cases of the installed onnx package: CASE/model.onnx and CASE/test_data_set_N/{input,output}_K.pb.

usage: make_node_cases.py FOLDER

The cases carry the values that the package states or computes; NumPy's generator is seeded, so that two runs write the
same. A case whose making fails is named and left out, and the program then ends with 1. conformance_tests runs the
folder (NodeConformance.NewestNodeCases); it is build/node_cases unless LAPIDARY_NODE_CASES names another.
"""

import pathlib
import shutil
import sys

import numpy
import onnx
from onnx import numpy_helper
from onnx.backend.test.case import node as node_cases
from onnx.backend.test.case.utils import import_recursive


def proto_of(value, declared):
    """A value of a case as the message that its declared type is written by."""
    if isinstance(value, onnx.TensorProto):
        return value
    kind = declared.type.WhichOneof("value")
    makers = {"sequence_type": numpy_helper.from_list, "optional_type": numpy_helper.from_optional,
              "map_type": numpy_helper.from_dict}
    if kind in makers:
        return makers[kind](value, declared.name)
    return numpy_helper.from_array(numpy.asarray(value), declared.name)


def write_case(case, folder):
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / f"test_data_set_{number}"
        data.mkdir()
        for kind, values, declared in (("input", inputs, case.model.graph.input),
                                       ("output", outputs, case.model.graph.output)):
            for k, value in enumerate(values):
                (data / f"{kind}_{k}.pb").write_bytes(proto_of(value, declared[k]).SerializeToString())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[1])
    numpy.random.seed(0)
    import_recursive(node_cases)
    failed = []
    shutil.rmtree(target, ignore_errors=True)
    cases = node_cases._NodeTestCases
    for case in cases:
        try:
            write_case(case, target / case.name)
        except Exception as error:  # one case must not keep the others from being written
            shutil.rmtree(target / case.name, ignore_errors=True)
            failed.append(f"{case.name}: {type(error).__name__}: {error}")
    for line in failed:
        print("left out", line)
    print(f"{len(cases) - len(failed)} of {len(cases)} cases of onnx {onnx.__version__} written to {target}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

// SPDX-License-Identifier: Apache-2.0
// The ONNX backend test data: Debian's package libonnx-testdata (opset 17 and before), newer node
// cases beside the other test data, and those of the installed onnx package, which
// make_node_cases.py writes to build/node_cases (LAPIDARY_NODE_CASES names another folder). Every
// case that node_skips.inc does not list must pass. LAPIDARY_NODE_CASE=text runs only the cases
// whose folder name contains the text.
#pragma once

#include <filesystem>
#include <string>

#include "support/onnx_case.h"

namespace lapidary::test {

enum class NodeCases { debian, beside, newest };

/// The folder of the cases, which may not exist.
std::filesystem::path folder_of(NodeCases cases);
/// Runs all cases with the options, except those whose names match `but_for`. Uses the tolerance of
/// the case if it has one. Fails if a case does not pass, or if one of node_skips.inc passes; skips
/// the test if there are no cases.
void run_node_cases(NodeCases cases, const CaseOptions& options = {},
                    const char* but_for = nullptr);

}  // namespace lapidary::test

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

/// May not be there.
std::filesystem::path folder_of(NodeCases cases);
/// Runs all of them with the options, in the tolerance of the case where it has one of its own, but
/// those whose names match `but_for`. Fails where one does not pass, or one that is listed passes;
/// skips where there are none.
void run_node_cases(NodeCases cases, const CaseOptions& options = {},
                    const char* but_for = nullptr);

}  // namespace lapidary::test

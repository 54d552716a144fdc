// SPDX-License-Identifier: Apache-2.0
// One folder of the ONNX backend test data: model.onnx and test_data_set_N/{input,output}_K.pb.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/compare.h>
#include <lapidary/optimize.h>

namespace lapidary::test {

struct CaseOutcome {
    bool passed = false;
    int data_sets = 0;
    std::string message;  // why it did not pass
};

/// Loads the model, runs every data set through Session and compares each expected output. Errors become the
/// outcome's message; the tolerance is that of ONNX's own backend runner unless given. The model is optimized first,
/// but for level disabled, which runs it as it stands.
CaseOutcome run_onnx_case(const std::filesystem::path& folder, const Tolerance& tolerance = {},
                          Level level = Level::disabled);

/// Folders beneath `root`, one or two levels down, that hold a model.onnx; sorted.
std::vector<std::filesystem::path> find_onnx_cases(const std::filesystem::path& root);

}  // namespace lapidary::test

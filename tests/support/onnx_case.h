// SPDX-License-Identifier: Apache-2.0
// One folder of the ONNX backend test data: model.onnx and test_data_set_N/{input,output}_K.pb.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

namespace lapidary::test {

struct CaseOutcome {
    bool passed = false;
    int data_sets = 0;
    std::string message;  // why it did not pass
};

struct CaseOptions {
    Tolerance tolerance;                 // initially that of ONNX's own backend runner
    Level level = Level::disabled;       // disabled: runs the unchanged model
    std::function<void(Model&)> change;  // applied before it is optimized
    std::vector<std::shared_ptr<const Provider>> providers;
    int runs = 3;  // number of runs on each data set; all are compared
};

/// Loads the model, runs every data set through one Session and compares each expected output.
/// Errors become the outcome's message.
CaseOutcome run_onnx_case(const std::filesystem::path& folder, const CaseOptions& options = {});

/// Folders beneath `root`, one or two levels down, that hold a model.onnx; sorted.
std::vector<std::filesystem::path> find_onnx_cases(const std::filesystem::path& root);

}  // namespace lapidary::test

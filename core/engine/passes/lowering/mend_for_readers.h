// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

/// What was changed so that other readers take the file.
struct MendingResult {
    std::vector<AppliedRewrite> rewrites;
    std::vector<std::string> notes;  // a sentence for each kind of change
};

/// Gives nodes of one name names of their own, writes an Identity where a branch or body returns a
/// value of the graph around it, and counts axes from the front where the operator's version asks
/// for it: what ONNX's checker or ONNX Runtime refuse. Graphs without a name get one, which no note
/// tells. Bodies of functions stay as they are. Values keep their names.
MendingResult mend_for_readers(Model& model, const Progress& progress = {});
/// Writes the oldest IR version that may hold the model; returns a sentence of it, empty where it
/// was that already.
std::string write_least_ir_version(Model& model);

}  // namespace lapidary

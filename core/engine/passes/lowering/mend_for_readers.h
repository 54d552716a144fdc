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

/// Repairs what ONNX's checker or ONNX Runtime refuse: makes names of nodes unique, writes an
/// Identity where a branch or body returns a value of the graph around it, and counts axes from the
/// front if the operator's version requires it. Graphs without a name get one, without a note.
/// Bodies of functions stay as they are. Values keep their names.
MendingResult mend_for_readers(Model& model, const Progress& progress = {});
/// Writes the oldest IR version that may hold the model; returns a sentence of it, empty where it
/// was that already.
std::string write_least_ir_version(Model& model);

}  // namespace lapidary

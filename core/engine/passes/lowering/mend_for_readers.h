// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

/// Changes by mend_for_readers().
struct MendingResult {
    std::vector<AppliedRewrite> rewrites;
    std::vector<std::string> notes;  // a sentence for each kind of change
};

/// Repairs what ONNX's checker or ONNX Runtime refuse or read otherwise: leaves ceil_mode out of
/// pools where it adds no window (rounds_up_for_nothing()), makes names of nodes unique, writes an
/// Identity where a branch or body returns a value of the graph around it, and counts axes from the
/// front if the operator's version requires it. Graphs without a name get one, without a note.
/// Bodies of functions stay as they are. Values keep their names.
MendingResult mend_for_readers(Model& model, const Progress& progress = {});
/// Sets the oldest IR version that allows the contents of the model. Returns a sentence about it;
/// empty: nothing changed.
std::string write_least_ir_version(Model& model);

}  // namespace lapidary

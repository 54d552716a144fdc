// SPDX-License-Identifier: Apache-2.0
// Finds the models of a plan.
#pragma once

#include <string>
#include <vector>

namespace lapidary::cli {

/// Of each text: a file or "sample:NAME" itself, all .onnx files of a folder and of those in it, or
/// the files that a pattern with * and ? in its last part names. Each once, in the order given,
/// those of a folder by name. Throws invalid_input for what names no model.
std::vector<std::string> models_named(const std::vector<std::string>& texts);

}  // namespace lapidary::cli

// SPDX-License-Identifier: Apache-2.0
// Makes a fixed dimension of an input a free one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Gives dimension `axis` of an input (negative: from the end) a name in place of its size. Targets
/// of Reshapes that have the old size baked in are mended: 0 where the dimension is copied, -1
/// where it follows from the others. Types are inferred. Returns a sentence for each Reshape that
/// was mended. Throws invalid_input for an input, axis or name that does not fit, and naming a
/// Reshape whose target does not say which of its numbers is the old size, or a node that fixes the
/// size, such as a product with a weight; the model is unchanged then.
std::vector<std::string> free_dimension(Model& model, const std::string& input, std::int64_t axis,
                                        const std::string& name, const Progress& progress = {});

}  // namespace lapidary

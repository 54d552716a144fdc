// SPDX-License-Identifier: Apache-2.0
// The ways to quantize that a search tries.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

struct Recipe {
    std::string name;  // for people
    QuantizeOptions options;
};

/// Those of the mode that was asked for, `asked` itself first; without those that say nothing to
/// the model.
std::vector<Recipe> recipes_of(const QuantizeOptions& asked, const Model& model);

}  // namespace lapidary

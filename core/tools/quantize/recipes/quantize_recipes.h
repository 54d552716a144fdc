// SPDX-License-Identifier: Apache-2.0
// The recipes that a search for the best quantization tries.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

struct Recipe {
    std::string name;  // shown to users
    QuantizeOptions options;
};

/// The recipes for the requested mode, `asked` itself first, without those that would make no
/// difference to this model.
std::vector<Recipe> recipes_of(const QuantizeOptions& asked, const Model& model);

}  // namespace lapidary

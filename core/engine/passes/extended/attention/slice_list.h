// SPDX-License-Identifier: Apache-2.0
// The lists of a Slice: attributes before opset 10, inputs since.
#pragma once

#include <optional>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::attention {

/// Attribute `name`, or the elements of `input`; empty where it is absent, nothing where its length
/// is not known.
std::optional<std::vector<Dim>> slice_list(PassContext& context, const Node& slice,
                                           std::size_t input, const char* name);

}  // namespace lapidary::attention

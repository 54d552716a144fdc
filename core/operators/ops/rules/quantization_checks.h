// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/rules/rule_checks.h"

namespace lapidary {

/// A constant scale must be positive and finite in every element. `zero_allowed`: where the scale
/// only multiplies (converters write 0 for channels that are dead).
void require_usable_scale(const InferenceContext& ctx, std::size_t input, std::string_view name,
                          bool zero_allowed = false);
/// A scale and its zero point must have as many elements.
void require_same_shape(const InferenceContext& ctx, std::size_t scale, std::size_t zero_point);

}  // namespace lapidary

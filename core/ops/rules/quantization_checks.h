// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/rules/rule_checks.h"

namespace lapidary {

/// A constant scale must be positive and finite in every element.
void require_usable_scale(const InferenceContext& ctx, std::size_t input, std::string_view name);
/// A scale and its zero point must have as many elements.
void require_same_shape(const InferenceContext& ctx, std::size_t scale, std::size_t zero_point);

}  // namespace lapidary

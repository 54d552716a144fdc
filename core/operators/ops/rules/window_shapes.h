// SPDX-License-Identifier: Apache-2.0
// Sizes of sliding windows with symbolic dimensions; numbers go through ops/geometry/window.h.
#pragma once

#include "ops/geometry/window.h"
#include "ops/rules/rule_checks.h"

namespace lapidary {

/// One spatial axis of a convolution or pool.
Dim window_size(const WindowAttributes& attributes, std::size_t axis, const Dim& input,
                const Dim& kernel);
/// One spatial axis of a transposed convolution.
Dim transposed_window_size(const WindowAttributes& attributes, std::size_t axis, const Dim& input,
                           const Dim& kernel);

/// Which inputs a convolution-like node has where; `none`: it has no such input.
struct ConvolutionInputs {
    static constexpr std::size_t none = SIZE_MAX;
    std::size_t x = 0, weight = 1, bias = 2;
    bool channels_last = false;
};
/// Output 0 of a convolution; checks group, weight, kernel_shape and bias.
void infer_convolution(InferenceContext& ctx, const ConvolutionInputs& inputs);
/// Output 0 (and 1 when present) of a pool on input `x`.
void infer_pool_on(InferenceContext& ctx, std::size_t x, bool channels_last);
/// Output 0: all spatial axes of input `x` become 1.
void infer_global_pool_on(InferenceContext& ctx, std::size_t x, bool channels_last);

}  // namespace lapidary

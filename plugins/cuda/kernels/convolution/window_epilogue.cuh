// SPDX-License-Identifier: Apache-2.0
// Epilogues of convolutions with channels last, whose bias has one element per column.
#pragma once

#include <cmath>

#include "gpu.h"
#include "kernels/elementwise/activation.cuh"
#include "kernels/elementwise/epilogue.h"

namespace lapidary::cuda {

/// Turns sums into results. `is_plain`: only a bias, a residual and limits of the result.
template <bool is_plain>
class WindowEpilogue {
public:
    GPU_METHOD explicit WindowEpilogue(const Epilogue& e) : e_(e) {
        const bool is_clip = e.activation == Op::clip;
        low_ = is_clip ? e.activation_alpha : e.activation == Op::relu ? 0.0f : -INFINITY;
        high_ = is_clip ? e.activation_beta : INFINITY;
    }
    /// `bias`, `residual`: 0 where there is none.
    GPU_METHOD float finished(float sum, float bias, float residual) const {
        if constexpr (is_plain) {
            return clipped(sum + bias + residual, low_, high_);
        } else {
            float v = e_.alpha * sum + e_.beta * bias;
            if (!e_.activates_before_residual) v += residual;
            if (e_.activation == Op::silu) v = v / (1 + std::exp(-v));
            else if (e_.activation == Op::hard_swish) v = v * clipped(v / 6.0f + 0.5f, 0.0f, 1.0f);
            else if (e_.activation != Op::identity)
                v = apply_activation(e_.activation, v, e_.activation_alpha, e_.activation_beta);
            return e_.activates_before_residual ? v + residual : v;
        }
    }

private:
    const Epilogue& e_;
    float low_, high_;
};

inline bool is_plain(const Epilogue& e) {
    const bool has_limits =
        e.activation == Op::identity || e.activation == Op::relu || e.activation == Op::clip;
    return e.alpha == 1 && e.beta == 1 && has_limits &&
           !(e.residual && e.activates_before_residual);
}

}  // namespace lapidary::cuda

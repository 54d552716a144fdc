// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/elementwise/elementwise.h"

namespace lapidary::cuda {

/// What is done to an element of a product before it is stored: activation(alpha * sum + beta *
/// bias[row * bias_row + column * bias_column] + residual).
struct Epilogue {
    float alpha = 1, beta = 1;
    const void* bias = nullptr;
    const void* residual = nullptr;  // laid out as the output
    std::int32_t bias_row = 0, bias_column = 0;
    Op activation = Op::identity;
    float activation_alpha = 0, activation_beta = 0;
    bool activates_before_residual = false;
};

/// How products are computed. tf32x3: three tensor core products for each product of floats, nearly
/// as exact as `exact`.
enum class Arithmetic : std::uint8_t { exact, tf32, f16, bf16, tf32x3 };

}  // namespace lapidary::cuda

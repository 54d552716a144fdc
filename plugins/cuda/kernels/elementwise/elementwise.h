// SPDX-License-Identifier: Apache-2.0
// Chains of functions of one to three elements. Each thread interprets a short program for each of
// its elements; inputs broadcast to the output.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

/// What a step computes from x, y, z and its parameters alpha and beta.
enum class Op : std::uint8_t {
    // of x
    identity,
    relu,
    leaky_relu,
    thresholded_relu,
    elu,
    celu,
    selu,
    sigmoid,
    hard_sigmoid,
    hard_swish,
    quick_gelu,
    gelu,
    gelu_tanh,
    silu,
    mish,
    softplus,
    softsign,
    tanh,
    erf,
    exp,
    log,
    sqrt,
    reciprocal,
    abs,
    neg,
    sign,
    floor,
    ceil,
    round,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    asinh,
    acosh,
    atanh,
    logical_not,
    is_nan,
    is_inf,
    clip,
    affine,
    square,
    cube,
    power_half,
    shrink,
    keep_finite,
    bit_not,
    // of x and y
    add,
    sub,
    mul,
    div,
    min,
    max,
    prelu,
    pow,
    floored_mod,
    truncated_mod,
    equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    logical_xor,
    bit_and,
    bit_or,
    bit_xor,
    // of x, y and z
    where,
    clip_between,
};

inline constexpr int max_inputs = 8, max_steps = 24, max_axes = 8;
inline constexpr std::uint8_t constant_operand = 255;  // the step's alpha

/// Operands are numbers of inputs, or max_inputs + the number of an earlier step.
struct Step {
    Op op = Op::identity;
    std::uint8_t x = 0, y = constant_operand, z = constant_operand;
    float alpha = 0, beta = 0;
};

enum class Domain : std::uint8_t { floats, doubles, integers };

struct ElementwiseInput {
    const void* data = nullptr;
    std::int32_t type = 0;
    std::int32_t strides[max_axes] = {};  // in elements, for the collapsed axes
};

struct ElementwiseArgs {
    Domain domain = Domain::floats;
    std::int32_t inputs = 0, steps = 0, axes = 0;
    std::int32_t dims[max_axes] = {};  // collapsed
    std::int32_t count = 0;
    ElementwiseInput input[max_inputs];
    Step step[max_steps];
    void* output = nullptr;
    std::int32_t output_type = 0;
    std::int32_t node = 0;  // for faults
};

void launch_elementwise(Queue& queue, const ElementwiseArgs& args);

}  // namespace lapidary::cuda

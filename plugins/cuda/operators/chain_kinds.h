// SPDX-License-Identifier: Apache-2.0
// The kinds of steps in lapidary::ElementwiseChain, by number, as in
// core/operators/kernels/vector/elementwise/elementwise.h.
#pragma once

#include <cstddef>

#include "device_error.h"
#include "kernels/elementwise/elementwise.h"

namespace lapidary::cuda {

struct ChainKind {
    const char* name;
    Op op;
};
inline constexpr ChainKind chain_functions[] = {{"identity", Op::identity},
                                                {"relu", Op::relu},
                                                {"leaky_relu", Op::leaky_relu},
                                                {"clip", Op::clip},
                                                {"sigmoid", Op::sigmoid},
                                                {"hard_sigmoid", Op::hard_sigmoid},
                                                {"tanh", Op::tanh},
                                                {"gelu", Op::gelu},
                                                {"gelu_tanh", Op::gelu_tanh},
                                                {"quick_gelu", Op::quick_gelu},
                                                {"silu", Op::silu},
                                                {"hard_swish", Op::hard_swish},
                                                {"elu", Op::elu},
                                                {"softplus", Op::softplus},
                                                {"thresholded_relu", Op::thresholded_relu},
                                                {"celu", Op::celu},
                                                {"selu", Op::selu},
                                                {"mish", Op::mish},
                                                {"softsign", Op::softsign},
                                                {"affine", Op::affine},
                                                {"abs", Op::abs},
                                                {"neg", Op::neg},
                                                {"sign", Op::sign},
                                                {"sqrt", Op::sqrt},
                                                {"power_half", Op::power_half},
                                                {"reciprocal", Op::reciprocal},
                                                {"square", Op::square},
                                                {"cube", Op::cube},
                                                {"exp", Op::exp},
                                                {"log", Op::log},
                                                {"erf", Op::erf},
                                                {"sin", Op::sin},
                                                {"cos", Op::cos},
                                                {"atan", Op::atan},
                                                {"floor", Op::floor},
                                                {"ceil", Op::ceil},
                                                {"round", Op::round},
                                                {"keep_finite", Op::keep_finite}};
inline constexpr ChainKind chain_pairs[] = {
    {"add", Op::add},     {"sub", Op::sub}, {"mul", Op::mul},
    {"div", Op::div},     {"min", Op::min}, {"max", Op::max},
    {"prelu", Op::prelu}, {"pow", Op::pow}, {"remainder", Op::truncated_mod}};

inline Op chain_function(std::size_t kind) {
    if (kind >= sizeof(chain_functions) / sizeof(ChainKind))
        throw Refusal("a function of its chain has no kernel");
    return chain_functions[kind].op;
}
inline Op chain_pair(std::size_t kind) {
    if (kind >= sizeof(chain_pairs) / sizeof(ChainKind))
        throw Refusal("a function of its chain has no kernel");
    return chain_pairs[kind].op;
}

}  // namespace lapidary::cuda

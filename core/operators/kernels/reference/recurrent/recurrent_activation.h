// SPDX-License-Identifier: Apache-2.0
// Activation functions of RNN, GRU and LSTM, chosen by name with optional alpha and beta.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary::reference {

struct RecurrentActivation {
    enum class Function : std::uint8_t {
        relu,
        tanh,
        sigmoid,
        affine,
        leaky_relu,
        thresholded_relu,
        scaled_tanh,
        hard_sigmoid,
        elu,
        softsign,
        softplus
    };
    Function function = Function::tanh;
    float alpha = 0, beta = 0;

    /// Clamps to [-clip, clip] (clip > 0), then applies the function, element by element.
    template <typename T>
    void apply(T* values, std::int64_t count, T clip) const;
};

/// The functions of all directions: attribute `activations` (any capitals) or `defaults` once per
/// direction, with activation_alpha and activation_beta handed out in order to the functions that
/// use them. Throws invalid_model for an unknown name or a wrong count.
std::vector<RecurrentActivation> read_activations(const Node& node,
                                                  const std::vector<std::string>& defaults,
                                                  std::size_t directions);

extern template void RecurrentActivation::apply<float>(float*, std::int64_t, float) const;
extern template void RecurrentActivation::apply<double>(double*, std::int64_t, double) const;

}  // namespace lapidary::reference

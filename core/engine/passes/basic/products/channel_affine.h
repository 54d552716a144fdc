// SPDX-License-Identifier: Apache-2.0
// Maps y[c] = scale[c] * x[c] + shift[c] along one axis, read from constants and from
// BatchNormalization.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/tensor/tensor.h>

#include "patterns/match.h"
#include "patterns/pattern.h"

namespace lapidary {

struct ChannelAffine {
    std::vector<double> scale, shift;  // one value per channel each

    static ChannelAffine scaling(std::vector<double> by);
    static ChannelAffine shifting(std::vector<double> by);
    bool scales() const;  // some scale is not 1
    bool shifts() const;  // some shift is not 0
    bool is_finite() const;
};

/// The values of `constant` per channel. It is broadcast against a tensor of that rank (-1:
/// unknown, two or more), may only vary along `axis` (negative: from the end), and must not enlarge
/// the tensor. Nothing otherwise.
std::optional<std::vector<double>> per_channel(const Tensor& constant, int rank, int axis,
                                               std::int64_t channels);

/// Add or Sub of the value `x_index` and a constant as an affine map: Sub(c, x) has scale -1. Mul,
/// or Div by the constant: a scaling. `constant` per channel.
ChannelAffine arithmetic_affine(std::string_view op_type, bool constant_first,
                                const std::vector<double>& constant);

/// BatchNormalization of `x` in inference, bound to "norm", its constants to "gamma", "beta",
/// "mean", "variance".
pattern::Pattern batch_normalization(pattern::Pattern x);
/// The map of the node bound by batch_normalization(); nothing when lengths disagree or a value is
/// not finite.
std::optional<ChannelAffine> batch_normalization_affine(const pattern::Match& match);

}  // namespace lapidary

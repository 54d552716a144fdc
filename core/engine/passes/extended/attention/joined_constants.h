// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary::attention {

/// The tensors concatenated along `axis`. Nothing: ranks, types or other dimensions differ.
std::optional<Tensor> joined(const std::vector<const Tensor*>& parts, std::size_t axis);

}  // namespace lapidary::attention

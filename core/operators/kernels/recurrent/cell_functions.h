// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/activation.h"
#include "kernels/kernel.h"

namespace lapidary {

/// A direction's functions; fewer where the cell has fewer.
struct CellFunctions {
    Activation gate, candidate, output;
};

/// One per direction from the node's attribute `activations`, `defaults` where it has none;
/// nothing, with `reason`, when one of them has no vector form.
std::optional<std::vector<CellFunctions>> cell_functions(const Node& node,
                                                         const std::vector<std::string>& defaults,
                                                         std::int64_t directions,
                                                         std::string& reason);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "passes/padded_window.h"

#include <algorithm>

namespace lapidary {

bool may_see_only_padding(const Node& pool) {
    const auto kernel = pool.ints_attribute("kernel_shape"), pads = pool.ints_attribute("pads"),
               dilations = pool.ints_attribute("dilations");
    const bool is_padded = pool.string_attribute("auto_pad", "NOTSET").starts_with("SAME") ||
                           std::ranges::any_of(pads, [](std::int64_t p) { return p > 0; });
    if (is_padded && std::ranges::any_of(dilations, [](std::int64_t d) { return d > 1; }))
        return true;
    for (std::size_t i = 0; i < pads.size(); ++i)
        if (kernel.empty() || pads[i] >= kernel[i % kernel.size()]) return true;
    return false;
}

}  // namespace lapidary

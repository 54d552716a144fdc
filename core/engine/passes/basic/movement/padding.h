// SPDX-License-Identifier: Apache-2.0
// The paddings of a Pad operator of any opset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

struct Padding {
    std::string mode;                      // "constant", "reflect", "edge", "wrap"
    double value = 0;                      // of constant mode
    std::vector<std::int64_t> begin, end;  // one per axis

    bool is_negative() const;   // crops somewhere
    bool only_spatial() const;  // axes 0 and 1 stay as they are
};

/// Nothing, with the reason, when pads, axes or the value are no constants or do not fit `rank`
/// (-1: taken from the pads).
std::optional<Padding> padding_of(const PassContext& context, const Node& pad, int rank,
                                  std::string& why);

}  // namespace lapidary

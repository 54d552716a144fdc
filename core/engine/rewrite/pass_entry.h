// SPDX-License-Identifier: Apache-2.0
// A pass as a list of passes holds it: what is known of it and what makes it.
#pragma once

#include <cstdint>
#include <functional>

#include <lapidary/passes/optimize.h>

#include "rewrite/pass.h"

namespace lapidary {

/// What a pass of level session is for, which decides when sessions run it. They run in this order.
enum class PassGroup : std::uint8_t {
    none,     // the pass is of another level
    prepare,  // makes the graph ready for kernels: runs with SessionPasses::Set::preparing and all
    fuse,     // puts neighbouring nodes into one kernel: runs with SessionPasses::Set::all
    store     // changes what values are stored as: runs with SessionPasses::Set::preparing and all
};

struct PassEntry {
    PassInfo info;
    std::function<PassBody()> make;
    PassGroup group = PassGroup::none;
};

}  // namespace lapidary

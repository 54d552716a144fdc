// SPDX-License-Identifier: Apache-2.0
// An entry of a pass list: the description of a pass and the function that makes it.
#pragma once

#include <cstdint>
#include <functional>

#include <lapidary/passes/optimize.h>

#include "rewrite/pass.h"

namespace lapidary {

/// The group of a pass of level session, which decides when sessions run it. Groups run in this
/// order.
enum class PassGroup : std::uint8_t {
    none,     // the pass is of another level
    prepare,  // makes the graph ready for kernels: runs with SessionPasses::Set::preparing and all
    /// makes 16-bit floats float32: runs as `prepare` does. With Set::all the passes of the levels
    /// follow where it changed anything, since many only fit float32.
    widen,
    fuse,  // puts neighbouring nodes into one kernel: runs with SessionPasses::Set::all
    store  // changes the types that values are stored in: runs with SessionPasses::Set::preparing
           // and all
};

struct PassEntry {
    PassInfo info;
    std::function<PassBody()> make;
    PassGroup group = PassGroup::none;
};

}  // namespace lapidary

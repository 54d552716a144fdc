// SPDX-License-Identifier: Apache-2.0
// A pass as a list of passes holds it: what is known of it and what makes it.
#pragma once

#include <functional>

#include <lapidary/passes/optimize.h>

#include "rewrite/pass.h"

namespace lapidary {

struct PassEntry {
    PassInfo info;
    std::function<PassBody()> make;
};

}  // namespace lapidary

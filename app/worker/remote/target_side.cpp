// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/target_side.h"

#include <optional>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

std::optional<TargetSide>& side_of_target() {
    static std::optional<TargetSide> side;
    return side;
}

}  // namespace

void set_target_side(TargetSide side) { side_of_target() = std::move(side); }

const TargetSide& target_side() {
    if (!side_of_target()) fail_input("this worker does not serve another machine");
    return *side_of_target();
}

}  // namespace lapidary::app

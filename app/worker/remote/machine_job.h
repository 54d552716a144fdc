// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "worker/jobs/engine.h"
#include "worker/remote/target.h"

namespace lapidary::app {

/// Says what the machine is that the worker runs on. Throws not_supported where the other program
/// was built from another commit.
struct MachineJob {
    using Result = TargetFacts;
    static constexpr std::string_view name = "machine";

    std::string asked_by;  // the commit of the other program, whose bytes have to be the same

    std::string title() const { return "a question about the machine"; }
    TargetFacts run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<MachineJob>();

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "worker/jobs/engine.h"

namespace lapidary::app {

struct KeptParts {
    std::int64_t parts = 0;
};

/// Hands parts of files to the machine of the worker, which keeps them (FileStore::keep_part()).
/// Throws what that throws, and invalid_input on a worker of this machine.
struct PartsJob {
    using Result = KeptParts;
    static constexpr std::string_view name = "keep_parts";

    std::vector<std::string> parts;  // base64; a few megabytes together

    std::string title() const { return "sending parts of files"; }
    KeptParts run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<PartsJob>();

}  // namespace lapidary::app

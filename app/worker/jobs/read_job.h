// SPDX-License-Identifier: Apache-2.0
// A model read where that cannot end the caller's process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

struct ReadResult {
    std::int64_t nodes = 0;  // 0: nothing was read
    std::size_t faults = 0;  // of a model that is no valid one
};

/// Reads the file of a model as whoever opens it will, types and summary included, and keeps it for
/// the next job. Throws what reading throws. In the caller's own process it does nothing.
struct ReadJob {
    using Result = ReadResult;
    static constexpr std::string_view name = "read";
    static constexpr bool runs_beside = true, opens_models = false;

    ModelSource model;

    std::string title() const { return "reading " + model.title(); }
    ReadResult run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<ReadJob>();

}  // namespace lapidary::app

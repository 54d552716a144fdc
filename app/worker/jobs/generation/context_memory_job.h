// SPDX-License-Identifier: Apache-2.0
// What memory a decoder holds as its context grows, without running it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/generation/context_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// Throws what decoder_memory() throws.
struct ContextMemoryJob {
    using Result = DecoderMemory;
    static constexpr std::string_view name = "plan_contexts";
    static constexpr Lane lane = Lane::models;

    ModelSource model;
    MemoryAssumptions assumptions;  // but for its dimensions
    std::vector<std::int64_t> contexts{1, 128, 256, 512, 1024, 2048, 4096};

    std::string title() const { return "the memory by context of " + model.title(); }
    DecoderMemory run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<ContextMemoryJob>();

}  // namespace lapidary::app

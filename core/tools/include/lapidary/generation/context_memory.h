// SPDX-License-Identifier: Apache-2.0
// What memory a decoder holds as its context grows, without running it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Behind so many tokens, while one more is run; without caches all of them are run again with it.
struct ContextMemory {
    std::int64_t context = 0;            // tokens
    std::uint64_t cache_bytes = 0;       // of keys and values of these tokens
    std::uint64_t activation_bytes = 0;  // the most that activations and working memory take
};

/// What a decoder needs over its context.
struct DecoderMemory {
    std::uint64_t weight_bytes = 0;     // as stored
    std::uint64_t cache_row_bytes = 0;  // of all caches, for one token; 0: there are none
    std::vector<ContextMemory> points;  // by context
};

/// The sizes of the free dimensions of a decoder's inputs in a run of one token behind `context`
/// others, or of all of these where there are no caches; only dimensions that have a name. Throws
/// not_supported where the model is no decoder.
std::map<std::string, std::int64_t> decoder_dimensions(const Model& model, std::int64_t context);

/// Plans one run for each context that the model has positions for. Caches are not among the
/// activations: with memory of a fixed size they are that of the capacity, whatever the context.
/// `assumptions`: but for the dimensions. Throws what decoder_card() and MemoryStudy::report()
/// throw.
DecoderMemory decoder_memory(MemoryStudy& study, const MemoryAssumptions& assumptions,
                             std::span<const std::int64_t> contexts, const Progress& progress = {});

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/context_memory.h>

#include <algorithm>

#include <lapidary/generation/measure_decoding.h>

#include "generation/decoder_model.h"

namespace lapidary {
namespace {

/// Along each dimension of an input that is no cache. `tokens`: that the run is given.
std::vector<std::int64_t> sizes_of(DecoderInput kind, std::int64_t tokens, std::int64_t context) {
    switch (kind) {
    case DecoderInput::ids:
    case DecoderInput::positions: return {1, tokens};
    case DecoderInput::mask: return {1, context + 1};
    case DecoderInput::row_positions: return {tokens};
    case DecoderInput::last_rows: return {1};
    case DecoderInput::total_rows:
    case DecoderInput::past_rows:
    case DecoderInput::has_past: break;
    }
    return {};
}

class Dimensions {
public:
    explicit Dimensions(const Graph& graph) : graph_(graph) {}

    /// Sizes along all dimensions of an input; a name keeps the size that it was given first.
    void add(const std::string& input, const std::vector<std::int64_t>& sizes) {
        const ValueId id = graph_.find_value(input);
        if (!id || !graph_.value(id).type.shape) return;
        const SymbolicShape& shape = *graph_.value(id).type.shape;
        for (std::size_t i = 0; i < std::min(shape.size(), sizes.size()); ++i)
            if (shape[i].is_symbolic()) known_.try_emplace(shape[i].symbol(), sizes[i]);
    }
    std::map<std::string, std::int64_t> take() { return std::move(known_); }

private:
    const Graph& graph_;
    std::map<std::string, std::int64_t> known_;
};

std::uint64_t most_activations(const MemoryReport& report) {
    std::uint64_t most = 0;
    for (const MemoryMoment& moment : report.moments)
        most = std::max(most, moment.activations + moment.workspace);
    return most;
}

}  // namespace

std::map<std::string, std::int64_t> decoder_dimensions(const Model& model, std::int64_t context) {
    const DecoderModel decoder = describe_decoder(model);
    const std::int64_t tokens = decoder.caches.empty() ? context + 1 : 1;
    Dimensions dimensions(model.graph);
    for (const DecoderPort& port : decoder.inputs)
        dimensions.add(port.name, sizes_of(port.kind, tokens, context));
    for (const DecoderCache& cache : decoder.caches) {
        std::vector<std::int64_t> sizes(cache.shape.size(), 1);
        sizes[cache.axis] = context;
        dimensions.add(cache.input, sizes);
    }
    return dimensions.take();
}

DecoderMemory decoder_memory(MemoryStudy& study, const MemoryAssumptions& assumptions,
                             std::span<const std::int64_t> contexts, const Progress& progress) {
    const Model& model = *study.model();
    const DecoderCard card = decoder_card(model);
    DecoderMemory memory;
    memory.weight_bytes = card.weight_bytes;
    memory.cache_row_bytes = card.cache_row_bytes;
    const auto free = study.free_dimensions();
    double done = 0;
    for (const std::int64_t context : contexts) {
        progress.step("memory by context", done++ / static_cast<double>(contexts.size()));
        if (card.most_positions && context + 1 > *card.most_positions) continue;
        MemoryAssumptions sized = assumptions;
        sized.dimensions.clear();
        for (const auto& [name, size] : decoder_dimensions(model, context))
            if (std::ranges::any_of(free, [&](const auto& known) { return known.first == name; }))
                sized.dimensions[name] = size;
        const MemoryReport report = study.report(sized, {progress.cancel, {}});
        memory.points.push_back({context,
                                 card.cache_row_bytes * static_cast<std::uint64_t>(context),
                                 most_activations(report)});
    }
    return memory;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/activation_estimate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <lapidary/inputs/usual_sizes.h>

namespace lapidary::app {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 4;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > most / b ? most : a * b;
}

bool is_view(const Node& node) {
    static constexpr std::array<std::string_view, 6> views{"Reshape",   "Flatten",  "Squeeze",
                                                           "Unsqueeze", "Identity", "Dropout"};
    return node.domain.empty() && std::ranges::find(views, node.op_type) != views.end();
}

/// Bytes of a value of that type; empty if the size does not follow from the type and the
/// dimensions.
std::optional<std::uint64_t> bytes_of(const Type& type, const DimensionSizes& sizes) {
    if (!type.is_tensor() || !type.shape || type.dtype == DType::undefined) return std::nullopt;
    std::uint64_t bits = type.dtype == DType::string ? 64 : bit_width(type.dtype);
    for (const Dim& dim : *type.shape) {
        const auto size = size_of(dim, sizes);
        if (!size) return std::nullopt;
        bits = product(bits, static_cast<std::uint64_t>(std::max<std::int64_t>(0, *size)));
    }
    return (bits + 7) / 8;
}

}  // namespace

ActivationEstimate estimate_activations(const Model& model, const DimensionSizes& dimensions) {
    const Graph& graph = model.graph;
    ActivationEstimate estimate;
    const DimensionSizes sizes = usual_sizes(model, dimensions).all;
    for (const auto& [name, size] : sizes)
        if (!dimensions.contains(name)) estimate.assumed.emplace(name, size);
    const auto nodes = graph.nodes();
    // A view shares the bytes of its value, so the value is alive until the last read of its views.
    std::vector<ValueId> holder(graph.value_slots());
    std::vector<std::uint64_t> bytes(graph.value_slots(), 0);
    std::vector<std::size_t> last(graph.value_slots(), 0);
    for (std::size_t step = 0; step < nodes.size(); ++step) {
        const Node& node = graph.node(nodes[step]);
        const auto read = [&](ValueId v) {
            if (v && holder[v.index]) last[holder[v.index].index] = step;
        };
        for (ValueId v : node.inputs) read(v);
        for (ValueId v : node.captures) read(v);
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const ValueId v = node.outputs[i];
            if (!v) continue;
            const bool view = i == 0 && is_view(node) && !node.inputs.empty() && node.inputs[0] &&
                              holder[node.inputs[0].index];
            holder[v.index] = view ? holder[node.inputs[0].index] : v;
            if (!view) {
                const auto known = bytes_of(graph.value(v).type, sizes);
                estimate.unknown += !known;
                bytes[v.index] = known.value_or(0);
            }
            const std::size_t until = graph.value(v).output_uses > 0 ? nodes.size() : step;
            last[holder[v.index].index] = std::max(last[holder[v.index].index], until);
        }
    }
    std::vector<std::uint64_t> ends(nodes.size() + 1, 0);
    std::uint64_t alive = 0;
    for (std::size_t step = 0; step < nodes.size(); ++step) {
        for (ValueId v : graph.node(nodes[step]).outputs) {
            if (!v || holder[v.index] != v) continue;
            alive += bytes[v.index];
            ends[last[v.index]] += bytes[v.index];
        }
        estimate.peak_bytes = std::max(estimate.peak_bytes, alive);
        alive -= ends[step];
    }
    return estimate;
}

}  // namespace lapidary::app

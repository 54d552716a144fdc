// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/activation_estimate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <vector>

namespace lapidary::app {
namespace {

constexpr std::int64_t usual_length = 128;
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 4;

std::uint64_t product(std::uint64_t a, std::uint64_t b) { return b != 0 && a > most / b ? most : a * b; }

bool is_view(const Node& node) {
    static constexpr std::array<std::string_view, 6> views{"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"};
    return node.domain.empty() && std::ranges::find(views, node.op_type) != views.end();
}

/// Names of the first dimension, as exporters and inference give them, are batches; the rest are lengths.
std::int64_t usual_size(const std::string& dimension) {
    std::string name = dimension;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("batch") != std::string::npos || name == "n" || name == "b" || name.ends_with("_dim_0") ? 1 : usual_length;
}

struct Sizes {
    const std::map<std::string, std::int64_t>& dimensions;
    ActivationEstimate& estimate;

    std::uint64_t of(const Type& type) {
        if (!type.is_tensor() || !type.shape || type.dtype == DType::undefined) {
            ++estimate.unknown;
            return 0;
        }
        std::uint64_t bytes = type.dtype == DType::string ? 8 : bit_width(type.dtype);
        for (const Dim& dim : *type.shape) {
            std::int64_t size = 1;
            if (dim.is_known()) {
                size = dim.value();
            } else if (const auto given = dimensions.find(dim.symbol()); given != dimensions.end()) {
                size = given->second;
            } else {
                size = usual_size(dim.symbol());
                estimate.assumed = true;
            }
            bytes = product(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(0, size)));
        }
        return (bytes + 7) / 8;
    }
};

}  // namespace

ActivationEstimate estimateActivations(const Graph& graph, const std::map<std::string, std::int64_t>& dimensions) {
    ActivationEstimate estimate;
    Sizes sizes{dimensions, estimate};
    const auto nodes = graph.nodes();
    // A view lives in the value it looks at, so that value lives as long as its last view is read.
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
            const bool view = i == 0 && is_view(node) && !node.inputs.empty() && node.inputs[0] && holder[node.inputs[0].index];
            holder[v.index] = view ? holder[node.inputs[0].index] : v;
            if (!view) bytes[v.index] = sizes.of(graph.value(v).type);
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

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>

#include "ops/operator_traits.h"
#include "quantize/weights/weight_by_channel.h"
#include "quantize/weights/weight_transforms.h"

namespace lapidary {
namespace {

constexpr int sweeps = 20;

/// True if a positive factor of a channel may be moved across the operator.
bool passes_factors(const Node& node) {
    return traits_of(node).has(OperatorFact::passes_factors) && node.outputs.size() == 1;
}

struct LayerPair {
    WeightedProduct first, second;
};

std::optional<WeightedProduct> own_product(const Graph& graph, const Node& node) {
    std::string ignored;
    auto product = weighted_product(graph, node, ignored);
    if (!product || !product->plain || !graph.value(product->weight).read_once())
        return std::nullopt;
    if (product->bias &&
        (!graph.value(product->bias).is_constant() || !graph.value(product->bias).read_once()))
        return std::nullopt;
    return product;
}

std::vector<LayerPair> layer_pairs(const Graph& graph) {
    std::vector<LayerPair> pairs;
    for (NodeId id : graph.nodes()) {
        const auto first = own_product(graph, graph.node(id));
        if (!first || (first->bias && graph.value(first->bias).constant->rank() != 1)) continue;
        ValueId value = graph.node(id).outputs[0];
        while (graph.value(value).read_once() && graph.value(value).uses[0].input == 0 &&
               passes_factors(graph.node(graph.value(value).uses[0].node)))
            value = graph.node(graph.value(value).uses[0].node).outputs[0];
        if (!graph.value(value).read_once() || graph.value(value).uses[0].input != 0) continue;
        const auto second = own_product(graph, graph.node(graph.value(value).uses[0].node));
        if (second && second->data == value && first->is_convolution == second->is_convolution &&
            WeightByChannel(graph, *first).outputs() == WeightByChannel(graph, *second).inputs())
            pairs.push_back({*first, *second});
    }
    return pairs;
}

/// False: no factor changed by more than a hundredth.
bool equalize(GraphEdit& edit, const LayerPair& pair) {
    WeightByChannel first(edit.graph(), pair.first), second(edit.graph(), pair.second);
    const std::vector<float> before = first.output_peaks(), after = second.input_peaks();
    std::vector<float> factors(before.size(), 1);
    bool moved = false;
    for (std::size_t c = 0; c < factors.size(); ++c) {
        const float factor = std::sqrt(before[c]) / std::sqrt(after[c]);
        if (!(before[c] > 0) || !(after[c] > 0) || !std::isnormal(factor) ||
            !std::isnormal(1 / factor))
            continue;
        factors[c] = factor;
        moved = moved || std::abs(factor - 1) > 0.01f;
    }
    first.visit([&](float& v, std::size_t, std::size_t output) { v /= factors[output]; });
    second.visit([&](float& v, std::size_t input, std::size_t) { v *= factors[input]; });
    edit.set_constant(pair.first.weight, first.tensor());
    edit.set_constant(pair.second.weight, second.tensor());
    if (pair.first.bias) {
        Tensor bias = edit.graph().value(pair.first.bias).constant->clone();
        if (static_cast<std::size_t>(bias.size()) == factors.size())
            for (std::size_t c = 0; c < factors.size(); ++c)
                bias.mutable_data<float>()[c] /= factors[c];
        edit.set_constant(pair.first.bias, bias);
    }
    return moved;
}

}  // namespace

std::size_t equalize_layers(Graph& graph, std::vector<std::string>& notes,
                            const Progress& progress) {
    const std::vector<LayerPair> pairs = layer_pairs(graph);
    if (pairs.empty()) {
        notes.push_back("no two weights follow each other so that they could be equalized");
        return 0;
    }
    GraphEdit edit(graph, "equalize_layers");
    bool moved = true;
    for (int i = 0; i < sweeps && moved; ++i) {
        moved = false;
        for (const LayerPair& pair : pairs) {
            progress.step("equalizing weights", static_cast<double>(i) / sweeps);
            moved = equalize(edit, pair) || moved;
        }
    }
    edit.finish();
    notes.push_back(std::to_string(pairs.size()) + (pairs.size() == 1
                                                        ? " pair of weights was equalized"
                                                        : " pairs of weights were equalized"));
    return pairs.size();
}

}  // namespace lapidary

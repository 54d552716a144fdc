// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/unfit_weights.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include <lapidary/base/error.h>

#include "ops/operator_traits.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

/// Tests the bits of the exponent, which compilers vectorize in loops over large weights.
bool is_finite(const Tensor& tensor) {
    constexpr std::uint32_t exponent = 0x7f800000u;
    std::uint32_t found = 0;
    for (const float value : tensor.data<float>())
        found |= (std::bit_cast<std::uint32_t>(value) & exponent) == exponent ? 1u : 0u;
    return found == 0;
}

bool has_weights(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    return traits.quantizing.weights != 0 || traits.family == OperatorFamily::recurrent;
}

}  // namespace

std::vector<UnfitWeight> unfit_weights(const Graph& graph) {
    std::vector<UnfitWeight> unfit;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (!has_weights(node)) continue;
        for (ValueId input : node.inputs) {
            if (!is_f32(graph, input) || !graph.value(input).is_constant() ||
                !graph.value(input).constant)
                continue;
            const Tensor& constant = *graph.value(input).constant;
            const bool is_fit = is_finite(constant);
            constant.drop_pages();  // so that one weight of a large file is in memory at a time
            if (is_fit) continue;
            unfit.push_back({keep_name(graph, node), "its constant " +
                                                         quote(graph.value(input).name) +
                                                         " holds values that are not finite"});
            break;
        }
    }
    return unfit;
}

void report_unfit_weights(const std::vector<UnfitWeight>& unfit, QuantizeResult& result) {
    for (const auto& [name, reason] : unfit) {
        const auto at = std::ranges::find(result.nodes, name, &NodeDecision::name);
        if (at != result.nodes.end()) at->reason = reason;
        result.notes.push_back("node " + quote(name) + " stays float: " + reason);
    }
}

}  // namespace lapidary

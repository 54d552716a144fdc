// SPDX-License-Identifier: Apache-2.0
#include "ops/channel_block.h"

#include <charconv>

#include <lapidary/error.h>
#include <lapidary/graph_edit.h>

#include "base/cpu_features.h"
#include "graph/traversal.h"

namespace lapidary {
namespace {

/// What a file says about its block without naming it.
struct Evidence {
    bool any = false, is_8 = false, is_16 = false;

    void look_at(const Graph& graph, const Node& node) {
        any = true;
        const auto constant = [&](std::size_t input) -> const Tensor* {
            if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
            const Value& v = graph.value(node.inputs[input]);
            return v.constant ? &*v.constant : nullptr;
        };
        if (const Tensor* w = node.op_type == "Conv" ? constant(1) : nullptr; w && w->rank() == 4 && w->dim(0) % 16 != 0) is_8 = true;
        if (node.op_type != "ReorderOutput" || node.inputs.empty() || !node.inputs[0]) return;
        const Value& source = graph.value(node.inputs[0]);
        const Node* conv = source.producer ? &graph.node(source.producer) : nullptr;
        if (!conv || conv->domain != nchwc_domain || conv->op_type != "Conv" || conv->inputs.size() < 2 || !conv->inputs[1]) return;
        const Value& weight = graph.value(conv->inputs[1]);
        const std::int64_t fill = weight.constant && weight.constant->rank() == 4 ? weight.constant->dim(0) - node.int_attribute("channels", 0) : 0;
        if (node.has_attribute("channels") && fill >= 8) is_16 = true;
    }
};

/// Nothing when the graph has no NCHWc node.
GraphPtr marked(const Graph& graph, std::int64_t block);

bool mark(Graph& graph, std::int64_t block) {
    bool changed = false;
    GraphEdit edit(graph);
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        if (graph.node(id).domain == nchwc_domain) {
            edit.set_attribute(id, {std::string(channel_block_attribute), block, {}, {}});
            changed = true;
        }
        for (const Attribute& a : std::vector<Attribute>(graph.node(id).attributes)) {
            const auto* inner = std::get_if<GraphPtr>(&a.value);
            if (!inner || !*inner) continue;
            if (GraphPtr copy = marked(**inner, block)) {
                Attribute replaced = a;
                replaced.value = std::move(copy);
                edit.set_attribute(id, std::move(replaced));
                changed = true;
            }
        }
    }
    return changed;
}

GraphPtr marked(const Graph& graph, std::int64_t block) {
    auto copy = std::make_shared<Graph>(graph);
    return mark(*copy, block) ? copy : nullptr;
}

}  // namespace

std::int64_t cpu_channel_block() {
#if defined(__x86_64__)
    return active_isa() >= Isa::avx512 ? 16 : 8;
#elif defined(__aarch64__)
    return 16;
#else
    return 8;
#endif
}

std::string cpu_vector_instructions() {
#if defined(__x86_64__)
    return active_isa() >= Isa::avx512 ? "avx512f" : active_isa() >= Isa::avx2 ? "avx2" : "sse2";
#elif defined(__aarch64__)
    return "neon";
#else
    return "generic";
#endif
}

std::int64_t channel_block_of(const Model& model) {
    Evidence evidence;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes())
            if (const Node& node = graph.node(id); node.domain == nchwc_domain) evidence.look_at(graph, node);
    });
    if (!evidence.any) return 0;
    for (const auto& [key, value] : model.metadata)
        if (key == channel_block_key) {
            std::int64_t block = 0;
            const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), block);
            if (problem != std::errc() || end != value.data() + value.size() || block < 1 || block > 64)
                fail_model("metadata " + std::string(channel_block_key) + ": expected a block size from 1 to 64, found " + quote(value));
            return block;
        }
    if (evidence.is_8 != evidence.is_16) return evidence.is_8 ? 8 : 16;
    return cpu_channel_block();
}

void mark_channel_block(Model& model) {
    if (const std::int64_t block = channel_block_of(model)) mark(model.graph, block);
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "ops/channel_block.h"

#include <charconv>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

#include "base/cpu_features.h"
#include "graph/traversal.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr std::int64_t sizes[] = {8, 16};  // that ONNX Runtime has

/// Which blocks the shapes in a file allow.
class Evidence {
public:
    bool any = false;

    void look_at(const Graph& graph, const Node& node) {
        any = true;
        if (node.op_type == "Conv") look_at_conv(graph, node);
        const std::int64_t channels = node.int_attribute("channels", 0);
        if (node.op_type == "ReorderOutput" && channels > 0 && !node.inputs.empty())
            if (const std::int64_t padded = padded_channels(graph, node.inputs[0], 32); padded > 0)
                require(channels, padded,
                        node.describe() + " gives " + std::to_string(channels) + " of " +
                            std::to_string(padded) + " channels");
    }

    bool allows(std::int64_t block) const { return excluded_by_[block == 16].empty(); }
    /// Why a block is not possible; empty where it is.
    const std::string& against(std::int64_t block) const { return excluded_by_[block == 16]; }

private:
    static const Tensor* constant(const Graph& graph, const Node& node, std::size_t input) {
        if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
        const Value& v = graph.value(node.inputs[input]);
        return v.constant ? &*v.constant : nullptr;
    }
    static const Node* producer(const Graph& graph, ValueId id) {
        return id && graph.value(id).producer ? &graph.node(graph.value(id).producer) : nullptr;
    }

    void exclude(std::int64_t block, const std::string& reason) {
        if (allows(block)) excluded_by_[block == 16] = reason;
    }

    /// `channels` are filled up to `padded`, which is whole blocks.
    void require(std::int64_t channels, std::int64_t padded, const std::string& what) {
        for (const std::int64_t block : sizes)
            if (padded % block != 0 || padded - channels >= block || channels > padded)
                exclude(block, what);
    }

    void look_at_conv(const Graph& graph, const Node& node) {
        const Tensor* w = constant(graph, node, 1);
        if (!w || w->rank() != 4) return;
        require(w->dim(0), w->dim(0),
                node.describe() + " has " + std::to_string(w->dim(0)) + " output channels");
        const std::int64_t group = node.int_attribute("group", 1), read = w->dim(1);
        const std::string what = node.describe() + " reads " + std::to_string(read) + " channels";
        if (group > 1) {
            const bool is_depthwise = read == 1 && w->dim(0) == group;
            for (const std::int64_t block : sizes)
                if (!is_depthwise && (read % block != 0 || w->dim(0) / group % block != 0))
                    exclude(block, what + " in each of " + std::to_string(group) + " groups");
            return;
        }
        const Node* before = producer(graph, node.inputs[0]);
        if (before && before->domain == nchwc_domain && before->op_type == "ReorderInput") {
            const auto& shape = graph.value(before->inputs.at(0)).type.shape;
            const std::size_t axis = before->int_attribute("channels_last", 0) != 0 ? 3 : 1;
            if (shape && shape->size() == 4 && (*shape)[axis].is_known())
                require((*shape)[axis].value(), read, what + " of " + to_string((*shape)[axis]));
        }
        // Fewer than a block are read in plain order, others never.
        const std::optional<bool> blocked = is_in_blocks(graph, node.inputs[0], 32);
        for (const std::int64_t block : sizes) {
            if (read % block != 0 && read >= block) exclude(block, what);
            if (blocked == true && read % block != 0) exclude(block, what + ", in blocks");
            if (blocked == false && read >= block) exclude(block, what + ", in plain order");
        }
    }

    /// Whether a value is in blocks; nothing where that is not known.
    static std::optional<bool> is_in_blocks(const Graph& graph, ValueId value, int steps) {
        if (!value || steps == 0 || graph.value(value).kind == ValueKind::captured)
            return std::nullopt;
        const Node* node = producer(graph, value);
        if (!node) return std::nullopt;  // an input: that of a part of a model may be in blocks
        if (node->domain == nchwc_domain) return node->op_type != "ReorderOutput";
        // Others may be what became of a reordering: ONNX Runtime writes some as Transpose and
        // Reshape.
        const bool keeps_order = node->op_type == "Concat" || traits_of(*node).is_elementwise();
        if (!keeps_order) return std::nullopt;
        for (const ValueId input : node->inputs)
            if (input && !graph.value(input).is_constant())
                return is_in_blocks(graph, input, steps - 1);
        return std::nullopt;
    }

    /// Channels of a value in blocks, as the weights of the convolution above it say; 0 when
    /// unknown.
    static std::int64_t padded_channels(const Graph& graph, ValueId value, int steps) {
        const Node* node = producer(graph, value);
        if (!node || node->inputs.empty() || steps == 0) return 0;
        if (node->domain == nchwc_domain && node->op_type == "Conv") {
            const Tensor* w = constant(graph, *node, 1);
            return w && w->rank() == 4 ? w->dim(0) : 0;
        }
        const bool keeps_channels = node->domain == nchwc_domain
                                        ? node->op_type != "ReorderInput"
                                        : traits_of(*node).is_elementwise();
        return keeps_channels ? padded_channels(graph, node->inputs[0], steps - 1) : 0;
    }

    std::string excluded_by_[2];
};

Evidence evidence_of(const Model& model) {
    Evidence evidence;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes())
            if (const Node& node = graph.node(id); node.domain == nchwc_domain)
                evidence.look_at(graph, node);
    });
    return evidence;
}

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
    const Evidence evidence = evidence_of(model);
    if (!evidence.any) return 0;
    for (const auto& [key, value] : model.metadata)
        if (key == channel_block_key) {
            std::int64_t block = 0;
            const auto [end, problem] =
                std::from_chars(value.data(), value.data() + value.size(), block);
            if (problem != std::errc() || end != value.data() + value.size() || block < 1 ||
                block > 64)
                fail_model("metadata " + std::string(channel_block_key) +
                           ": expected a block size from 1 to 64, found " + quote(value));
            return block;
        }
    if (evidence.allows(8) != evidence.allows(16)) return evidence.allows(8) ? 8 : 16;
    if (!evidence.allows(8))
        fail_model("channels are laid out neither in blocks of 8 (" + evidence.against(8) +
                   ") nor of 16 (" + evidence.against(16) + ")");
    fail_unsupported(
        "channels are laid out in blocks of 8 or of 16, as the CPU wanted for which the file was "
        "saved, and every "
        "shape in the file allows both: say which by "
        "--channel-block 8 or --channel-block 16 (16 for AVX-512 and 64-bit ARM), with optimize "
        "--level disabled to "
        "write it into the file");
}

std::string channel_block_problem(const Model& model) {
    try {
        channel_block_of(model);
        return {};
    } catch (const Error& error) {
        return error.code() == ErrorCode::not_supported ? error.message() : std::string();
    }
}

void state_channel_block(Model& model, std::int64_t block) {
    if (block != 8 && block != 16)
        fail_input("channels are laid out in blocks of 8 or 16, not of " + std::to_string(block));
    const Evidence evidence = evidence_of(model);
    if (!evidence.any) return;
    if (!evidence.allows(block))
        fail_input("channels are not laid out in blocks of " + std::to_string(block) + ": " +
                   evidence.against(block));
    std::erase_if(model.metadata,
                  [](const auto& entry) { return entry.first == channel_block_key; });
    model.metadata.emplace_back(channel_block_key, std::to_string(block));
}

void mark_channel_block(Model& model) {
    if (const std::int64_t block = channel_block_of(model)) mark(model.graph, block);
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "inputs/cache_sizes.h"

#include <optional>

namespace lapidary {
namespace {

struct Heads {
    std::int64_t count, size;
};

/// The heads of keys and values and their size. Nothing: the width of the queries is not known, or
/// no multiple of the number of heads.
std::optional<Heads> heads_of(const Graph& graph, const Node& node) {
    const bool grouped = node.op_type == "GroupQueryAttention";
    if (node.domain != "com.microsoft" || (!grouped && node.op_type != "MultiHeadAttention"))
        return std::nullopt;
    const std::int64_t queries = node.int_attribute("num_heads", 0);
    const std::int64_t keys = grouped ? node.int_attribute("kv_num_heads", 0) : queries;
    const auto& shape = graph.value(node.inputs[0]).type.shape;
    constexpr std::int64_t most_heads = 1 << 16;
    if (queries < 1 || keys < 1 || queries > most_heads || keys > most_heads || !shape ||
        shape->size() != 3 || !shape->back().is_known())
        return std::nullopt;
    // keys and values lie behind the queries
    const bool packed = grouped && (node.inputs.size() < 2 || !node.inputs[1]);
    const std::int64_t parts = packed ? queries + 2 * keys : queries;
    if (shape->back().value() % parts != 0) return std::nullopt;
    return Heads{keys, shape->back().value() / parts};
}

/// Number of elements of a row of the cache. Nothing: its type does not show its layout.
std::optional<std::int64_t> stored_size(const Node& node, DType type, std::int64_t size) {
    if (is_float(type) && bit_width(type) >= 16) return size;
    if (node.op_type != "GroupQueryAttention") return std::nullopt;
    if (type == DType::i8 || type == DType::f8e4m3fn) return size;
    if (type == DType::u8 && node.int_attribute("kv_cache_bit_width", 0) == 4)
        return (size + 1) / 2;
    return std::nullopt;
}

}  // namespace

std::map<std::string, std::int64_t> cache_sizes(const Model& model) {
    constexpr std::size_t grouped_past = 3, multi_head_past = 6;
    std::map<std::string, std::int64_t> sizes;
    const Graph& graph = model.graph;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.inputs.empty() || !node.inputs[0]) continue;
        const auto heads = heads_of(graph, node);
        if (!heads) continue;
        const std::size_t first =
            node.op_type == "GroupQueryAttention" ? grouped_past : multi_head_past;
        for (std::size_t i = first; i < first + 2 && i < node.inputs.size(); ++i) {
            if (!node.inputs[i]) continue;
            const Type& past = graph.value(node.inputs[i]).type;
            const auto stored = stored_size(node, past.dtype, heads->size);
            if (!past.shape || past.shape->size() != 4 || !stored) continue;
            if (const Dim& dim = (*past.shape)[1]; dim.is_symbolic())
                sizes.emplace(dim.symbol(), heads->count);
            if (const Dim& dim = (*past.shape)[3]; dim.is_symbolic())
                sizes.emplace(dim.symbol(), *stored);
        }
    }
    return sizes;
}

}  // namespace lapidary

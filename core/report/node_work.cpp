// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/cost_rollback.h>

namespace lapidary {
namespace {

/// Elements of a value with a static shape.
std::optional<double> elements_of(const Graph& graph, ValueId id) {
    if (!id) return 0.0;
    const Type& type = graph.value(id).type;
    if (!type.is_static()) return std::nullopt;
    double count = 1;
    for (std::int64_t dim : type.static_shape()) count *= static_cast<double>(dim);
    return count;
}

std::optional<double> dimension(const Graph& graph, ValueId id, std::ptrdiff_t axis) {
    const Type& type = graph.value(id).type;
    if (!type.is_static()) return std::nullopt;
    const auto shape = type.static_shape();
    if (axis < 0) axis += static_cast<std::ptrdiff_t>(shape.size());
    if (axis < 0 || axis >= static_cast<std::ptrdiff_t>(shape.size())) return std::nullopt;
    return static_cast<double>(shape[static_cast<std::size_t>(axis)]);
}

bool is_product(const std::string& op) {
    return op == "MatMul" || op == "FusedMatMul" || op == "MatMulInteger" || op == "MatMulIntegerToFloat" || op == "QLinearMatMul" || op == "DynamicQuantizeMatMul";
}

/// Operators that look at no more of what they read than they write.
bool picks(const std::string& op) {
    return op == "Gather" || op == "GatherND" || op == "GatherElements" || op == "Slice" || op == "Shape" || op == "Size";
}

/// Multiplications and additions that make one element of the first output; nothing: not a product of sums.
std::optional<double> sum_length(const Graph& graph, const Node& node) {
    const std::string& op = node.op_type;
    if (op.find("ConvTranspose") != std::string::npos) return std::nullopt;
    if (op.find("Conv") != std::string::npos) {
        const std::size_t weight = op.starts_with("QLinear") ? 3 : 1;
        if (node.inputs.size() <= weight) return std::nullopt;
        const auto all = elements_of(graph, node.inputs[weight]), filters = dimension(graph, node.inputs[weight], 0);
        if (!all || !filters || *filters == 0) return std::nullopt;
        return *all / *filters;
    }
    if (op == "Gemm" || op == "FusedGemm" || op == "QGemm") return dimension(graph, node.inputs.at(0), node.int_attribute("transA", 0) != 0 ? 0 : 1);
    if (is_product(op)) return dimension(graph, node.inputs.at(0), node.int_attribute("transA", 0) != 0 ? -2 : -1);
    return std::nullopt;
}

}  // namespace

std::optional<double> estimated_work(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    double read = 0, written = 0;
    for (ValueId v : node.inputs) {
        const auto count = elements_of(graph, v);
        if (!count) return std::nullopt;
        read += *count;
    }
    for (ValueId v : node.outputs) {
        const auto count = elements_of(graph, v);
        if (!count) return std::nullopt;
        written += *count;
    }
    if (const auto length = sum_length(graph, node)) return 2 * *length * written;
    const std::string& op = node.op_type;
    if (node.domain == "com.microsoft" && (op == "Attention" || op == "QAttention" || op == "MultiHeadAttention")) {
        const auto rows = dimension(graph, node.inputs.at(0), 0), sequence = dimension(graph, node.inputs.at(0), 1), width = dimension(graph, node.outputs.at(0), -1);
        if (!rows || !sequence || !width) return std::nullopt;
        double work = 4 * *rows * *sequence * *sequence * *width;
        if (op != "MultiHeadAttention")
            if (const auto weights = elements_of(graph, node.inputs.at(1))) work += 2 * *rows * *sequence * *weights;
        return work;
    }
    if (node.domain.empty() && picks(op)) return written;
    return std::max(read, written);
}

}  // namespace lapidary

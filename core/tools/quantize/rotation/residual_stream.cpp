// SPDX-License-Identifier: Apache-2.0
#include "quantize/rotation/residual_stream.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

/// Why the base of a stream cannot be changed.
struct StreamRefusal {
    std::string reason;
};

bool is_plain(const Node& node, std::string_view op_type) {
    return node.domain.empty() && node.op_type == op_type;
}

/// x / sqrt(mean(x^2) + epsilon) * gain along the last axis.
bool is_mean_square_norm(const Node& node) {
    return (is_plain(node, "SimplifiedLayerNormalization") || is_plain(node, "RMSNormalization")) &&
           node.int_attribute("axis", -1) == -1 && node.inputs.size() >= 2 && node.inputs[1];
}

/// The same of the sum of two values.
bool is_mean_square_norm_of_sum(const Node& node) {
    return node.domain == "com.microsoft" && node.op_type == "SkipSimplifiedLayerNormalization" &&
           node.inputs.size() >= 3 && node.inputs[2];
}

bool subtracts_mean(const Node& node) {
    return is_plain(node, "LayerNormalization") ||
           (node.domain == "com.microsoft" && node.op_type == "SkipLayerNormalization");
}

const Tensor* constant_of(const Graph& graph, ValueId value) {
    if (!value || !graph.value(value).is_constant() || !graph.value(value).constant) return nullptr;
    return &*graph.value(value).constant;
}

bool is_scalar_of(const Graph& graph, ValueId value, float wanted) {
    const Tensor* const constant = constant_of(graph, value);
    return constant && constant->dtype() == DType::f32 && constant->size() == 1 &&
           constant->data<float>()[0] == wanted;
}

/// x^2
bool is_square(const Graph& graph, const Node& node) {
    if (node.inputs.size() != 2) return false;
    return (is_plain(node, "Mul") && node.inputs[0] == node.inputs[1]) ||
           (is_plain(node, "Pow") && is_scalar_of(graph, node.inputs[1], 2));
}

bool is_mean_of_last_axis(const Graph& graph, const Node& node) {
    if (!is_plain(node, "ReduceMean") || node.int_attribute("keepdims", 1) != 1) return false;
    std::vector<std::int64_t> axes = node.ints_attribute("axes");
    if (node.inputs.size() > 1)
        if (const Tensor* const given = constant_of(graph, node.inputs[1]);
            given && given->dtype() == DType::i64)
            axes.assign(given->data<std::int64_t>().begin(), given->data<std::int64_t>().end());
    return axes == std::vector<std::int64_t>{-1};
}

/// What makes one value of a row's mean square, such as 1 / sqrt(mean + epsilon), is only of
/// constants with one element.
bool is_of_mean_square(const Graph& graph, ValueId value, ValueId stream) {
    constexpr int most_steps = 8;
    for (int step = 0; step < most_steps; ++step) {
        const Value& now = graph.value(value);
        if (now.kind != ValueKind::node_output) return false;
        const Node& node = graph.node(now.producer);
        if (is_mean_of_last_axis(graph, node)) {
            const Value& squares = graph.value(node.inputs[0]);
            return squares.kind == ValueKind::node_output &&
                   is_square(graph, graph.node(squares.producer)) &&
                   graph.node(squares.producer).inputs[0] == stream;
        }
        static constexpr std::string_view passed[] = {"Add", "Sqrt", "Reciprocal",
                                                      "Div", "Pow",  "Mul"};
        if (!node.domain.empty() || std::ranges::find(passed, node.op_type) == std::end(passed))
            return false;
        std::vector<ValueId> varying;
        for (const ValueId input : node.inputs) {
            const Tensor* const constant = constant_of(graph, input);
            if (!constant) varying.push_back(input);
            else if (constant->size() != 1) return false;
        }
        if (varying.size() != 1) return false;
        value = varying[0];
    }
    return false;
}

/// Follows one stream from one of its values.
class StreamSearch {
public:
    explicit StreamSearch(const Graph& graph) : graph_(graph) {}

    /// Throws StreamRefusal.
    ResidualStream follow(ValueId first) {
        take(first);
        while (!open_.empty()) {
            const ValueId value = open_.back();
            open_.pop_back();
            follow_back(value);
            for (const Use& use : graph_.value(value).uses) follow_use(value, use);
        }
        if (stream_.readers.empty()) refuse("no product with a constant weight reads it");
        return std::move(stream_);
    }
    /// All values that were found to belong to it, also if it was refused.
    const std::set<ValueId>& values() const { return values_; }

private:
    [[noreturn]] static void refuse(std::string reason) { throw StreamRefusal{std::move(reason)}; }
    std::string name(ValueId value) const { return quote(graph_.value(value).name); }

    void take(ValueId value) {
        const Value& found = graph_.value(value);
        if (found.kind != ValueKind::node_output) refuse(name(value) + " is no result of a node");
        if (found.output_uses > 0) refuse(name(value) + " is an output of the model");
        if (!found.captured_by.empty()) refuse("a subgraph reads " + name(value));
        if (values_.insert(value).second) open_.push_back(value);
    }

    void require_width(std::int64_t width, ValueId value) {
        if (stream_.width == 0) stream_.width = width;
        if (stream_.width != width)
            refuse(name(value) + " has " + std::to_string(width) + " channels where others have " +
                   std::to_string(stream_.width));
    }

    /// A constant of f32 that nothing else reads and that ends with the channels.
    void require_own(ValueId value, const char* what) {
        const Tensor* const constant = constant_of(graph_, value);
        if (!constant || constant->dtype() != DType::f32 || constant->rank() < 1)
            refuse(std::string(what) + " " + name(value) + " is no constant of float32");
        if (!graph_.value(value).read_once())
            refuse("more than one node reads the " + std::string(what) + " " + name(value));
    }
    void require_own_row(ValueId value, const char* what) {
        require_own(value, what);
        require_width(constant_of(graph_, value)->shape().back(), value);
    }

    WeightedProduct product_of(const Node& node) {
        std::string reason;
        const auto product = weighted_product(graph_, node, reason);
        if (!product || product->is_convolution || !product->plain)
            refuse(node.describe() + ", through which no rotation passes, reads or writes it");
        require_own(product->weight, "weight");
        if (constant_of(graph_, product->weight)->rank() != 2)
            refuse("the weight " + name(product->weight) + " is no matrix");
        return *product;
    }
    std::int64_t weight_dim(const WeightedProduct& product, std::int64_t axis) const {
        return constant_of(graph_, product.weight)->dim(static_cast<std::size_t>(axis));
    }

    void follow_back(ValueId value) {
        const Value& found = graph_.value(value);
        const Node& node = graph_.node(found.producer);
        if (is_plain(node, "Add")) return add_operands(node);
        if (is_mean_square_norm_of_sum(node) && found.producer_output == 3)
            return follow_norm_of_sum(node);
        if (!written_.insert(node.id).second) return;
        if (reads_table(node)) {
            if (node.int_attribute("axis", 0) != 0)
                refuse(node.describe() + " takes no rows of its table");
            require_own_row(node.inputs[0], "table");
            if (constant_of(graph_, node.inputs[0])->rank() != 2)
                refuse("the table " + name(node.inputs[0]) + " is no matrix");
            stream_.tables.push_back(node.inputs[0]);
            return;
        }
        const WeightedProduct product = product_of(node);
        require_width(weight_dim(product, product.output_axis), product.weight);
        if (product.bias) require_own_row(product.bias, "bias");
        stream_.writers.push_back(product);
    }

    void add_operands(const Node& node) {
        if (!written_.insert(node.id).second) return;
        for (const ValueId operand : node.inputs)
            if (graph_.value(operand).is_constant()) {
                require_own_row(operand, "constant");
                stream_.vectors.push_back(operand);
            } else {
                take(operand);
            }
    }

    void follow_use(ValueId value, const Use& use) {
        const Node& node = graph_.node(use.node);
        if (is_plain(node, "Add")) return take(node.outputs[0]);
        if (is_mean_square_norm(node) && use.input == 0) {
            if (!read_.insert(node.id).second) return;
            return follow_gain_of(node, 1);
        }
        if (is_mean_square_norm_of_sum(node) && use.input < 2) return follow_norm_of_sum(node);
        if (subtracts_mean(node))
            refuse(node.describe() + " subtracts the mean, which is another one in another base");
        if (is_square(graph_, node)) return require_means(node.outputs[0]);
        if (is_scaled_by_row(node, value)) return follow_normalized(node.outputs[0]);
        read(node, value, {});
    }

    /// Mul by, or Div of, one value for each row.
    bool is_scaled_by_row(const Node& node, ValueId value) const {
        if (node.inputs.size() != 2 || !(is_plain(node, "Mul") || is_plain(node, "Div")))
            return false;
        if (node.inputs[0] == value) return is_of_mean_square(graph_, node.inputs[1], value);
        return is_plain(node, "Mul") && is_of_mean_square(graph_, node.inputs[0], value);
    }

    void require_means(ValueId squares) {
        const Value& found = graph_.value(squares);
        const bool fits = found.output_uses == 0 && found.captured_by.empty() &&
                          std::ranges::all_of(found.uses, [&](const Use& use) {
                              return is_mean_of_last_axis(graph_, graph_.node(use.node));
                          });
        if (!fits) refuse("of the squares " + name(squares) + " not only means are taken");
    }

    void follow_norm_of_sum(const Node& node) {
        if (!read_.insert(node.id).second) return;
        if (node.inputs.size() > 3 && node.inputs[3])
            refuse(node.describe() + " adds a bias to the sum");
        take(node.inputs[0]);
        take(node.inputs[1]);
        for (std::size_t i = 1; i < node.outputs.size(); ++i)
            if (node.outputs[i] && i == 3) take(node.outputs[3]);
            else if (node.outputs[i] && !graph_.value(node.outputs[i]).is_unused())
                refuse("the means of " + node.describe() + " are read");
        follow_gain_of(node, 2);
    }

    void follow_gain_of(const Node& node, std::size_t input) {
        const ValueId gain = node.inputs[input];
        require_gain(gain);
        if (!is_mean_square_norm_of_sum(node))
            for (std::size_t i = 1; i < node.outputs.size(); ++i)
                if (node.outputs[i] && !graph_.value(node.outputs[i]).is_unused())
                    refuse("the means of " + node.describe() + " are read");
        stream_.gain_inputs.emplace_back(node.id, input);
        read_all(node.outputs[0], gain);
    }
    void require_gain(ValueId gain) {
        const Tensor* const constant = constant_of(graph_, gain);
        if (!constant || constant->dtype() != DType::f32 || constant->rank() != 1)
            refuse("the gain " + name(gain) + " is no constant vector of float32");
        require_width(constant->dim(0), gain);
    }

    /// What reads normalized values: products, or a Mul by a gain in front of products.
    void follow_normalized(ValueId normalized) {
        const Value& found = graph_.value(normalized);
        if (found.output_uses > 0 || !found.captured_by.empty())
            refuse(name(normalized) + " is read by more than products");
        for (const Use& use : found.uses) {
            const Node& node = graph_.node(use.node);
            if (!is_plain(node, "Mul") || node.inputs.size() != 2) {
                read(node, normalized, {});
                continue;
            }
            const ValueId gain = node.inputs[use.input == 0 ? 1 : 0];
            require_gain(gain);
            stream_.gain_products.push_back(node.id);
            read_all(node.outputs[0], gain);
        }
    }

    void read_all(ValueId value, ValueId gain) {
        const Value& found = graph_.value(value);
        if (found.output_uses > 0 || !found.captured_by.empty())
            refuse(name(value) + " is read by more than products");
        for (const Use& use : found.uses) read(graph_.node(use.node), value, gain);
    }

    void read(const Node& node, ValueId value, ValueId gain) {
        if (!is_product(node))
            refuse(node.describe() + ", through which no rotation passes, reads " + name(value));
        const WeightedProduct product = product_of(node);
        if (product.data != value)
            refuse(node.describe() + " has " + name(value) + " as another operand than its data");
        require_width(weight_dim(product, product.input_axis), product.weight);
        stream_.readers.push_back({product, gain});
    }

    const Graph& graph_;
    ResidualStream stream_;
    std::set<ValueId> values_;
    std::vector<ValueId> open_;
    std::set<NodeId> written_, read_;  // nodes that were looked at, as writers and as readers
};

/// A value that a normalization reads; empty for other nodes.
ValueId normalized_by(const Graph& graph, const Node& node) {
    if (is_mean_square_norm(node) || is_mean_square_norm_of_sum(node) || subtracts_mean(node))
        return node.inputs[0];
    if (!is_mean_of_last_axis(graph, node)) return {};
    const Value& squares = graph.value(node.inputs[0]);
    if (squares.kind != ValueKind::node_output) return {};
    const Node& square = graph.node(squares.producer);
    return is_square(graph, square) ? square.inputs[0] : ValueId();
}

}  // namespace

std::vector<ResidualStream> residual_streams(const Graph& graph,
                                             std::vector<std::string>& declined) {
    std::vector<ResidualStream> streams;
    std::set<ValueId> seen;
    for (const NodeId id : graph.nodes()) {
        const ValueId first = normalized_by(graph, graph.node(id));
        if (!first || seen.contains(first)) continue;
        StreamSearch search(graph);
        try {
            streams.push_back(search.follow(first));
        } catch (const StreamRefusal& refusal) {
            declined.push_back("the values that " + quote(graph.value(first).name) +
                               " belongs to are not rotated: " + refusal.reason);
        }
        seen.insert(first);
        seen.insert(search.values().begin(), search.values().end());
    }
    return streams;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "accuracy/first_normalization.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>

#include <lapidary/tensor/tensor.h>

namespace lapidary {
namespace {

constexpr int most_steps = 16;

template <std::size_t N>
bool is_one_of(const std::string& op, const std::array<std::string_view, N>& ops) {
    return std::ranges::find(ops, op) != ops.end();
}

class Walk {
public:
    explicit Walk(const Graph& graph) : graph_(graph) {}

    FirstNormalization from(ValueId value) {
        for (int step = 0; value && step < most_steps; ++step) {
            const Node* node = reader_of(value);
            if (node) nodes_.push_back(node->id);
            value = node ? behind(*node, value) : ValueId();
        }
        if (found_.kind != FirstNormalization::Kind::batch && is_affine_)
            found_ = {
                FirstNormalization::Kind::affine, affine_node_, {}, {}, {}, {}, scale_, offset_};
        return std::move(found_);
    }

private:
    /// The only node that computes with the value; null: there are several, or none.
    const Node* reader_of(ValueId value) const {
        const Node* reader = nullptr;
        for (const Use& use : graph_.value(value).uses) {
            const Node& node = graph_.node(use.node);
            if (node.op_type == "Shape" || node.op_type == "Size") continue;
            if (reader) return nullptr;
            reader = &node;
        }
        return reader;
    }

    std::optional<std::vector<double>> constant(const Node& node, std::size_t input) const {
        if (input >= node.inputs.size() || !node.inputs[input]) return std::nullopt;
        const Value& value = graph_.value(node.inputs[input]);
        const Tensor* tensor = value.is_constant() && value.constant ? &*value.constant : nullptr;
        if (!tensor && value.kind == ValueKind::node_output)
            if (const Node& producer = graph_.node(value.producer); producer.op_type == "Constant")
                tensor = producer.tensor_attribute("value");
        if (!tensor || !is_float(tensor->dtype()) || tensor->size() == 0) return std::nullopt;
        return to_doubles(*tensor);
    }

    /// The output of the node from which to continue; an empty id: the search ends here.
    ValueId behind(const Node& node, ValueId value) {
        static constexpr std::array<std::string_view, 8> moves{
            "Identity", "Cast", "Transpose", "Squeeze", "Unsqueeze", "Reshape", "Pad", "Dropout"};
        if (node.op_type == "ImageScaler") return scaled_image(node);
        if (!node.domain.empty() || node.outputs.empty()) return {};
        if (is_one_of(node.op_type, moves))
            return node.inputs[0] == value ? node.outputs[0] : ValueId();
        if (node.op_type == "BatchNormalization") {
            take_batch(node);
            return {};
        }
        static constexpr std::array<std::string_view, 3> products{"Conv", "Gemm", "MatMul"};
        if (is_one_of(node.op_type, products)) return product(node, value);
        return arithmetic(node, value);
    }

    void take_batch(const Node& node) {
        auto mean = constant(node, 3), variance = constant(node, 4);
        if (mean && variance && mean->size() == variance->size())
            found_ = {FirstNormalization::Kind::batch,   node.describe(),  nodes_,
                      graph_.value(node.inputs[0]).name, std::move(*mean), std::move(*variance)};
    }

    ValueId product(const Node& node, ValueId value) {
        const bool is_second = found_.kind == FirstNormalization::Kind::product;
        if (is_second || node.inputs.size() < 2 || node.inputs[0] != value || !constant(node, 1))
            return {};
        found_.kind = FirstNormalization::Kind::product;
        found_.node = node.describe();
        found_.nodes = nodes_;
        found_.value = graph_.value(node.outputs[0]).name;
        return node.outputs[0];
    }

    ValueId scaled_image(const Node& node) {
        const std::vector<float> bias = node.floats_attribute("bias");
        take_affine(node, node.float_attribute("scale", 1),
                    bias.empty()
                        ? 0
                        : std::accumulate(bias.begin(), bias.end(), 0.0) / double(bias.size()));
        return node.outputs.empty() ? ValueId() : node.outputs[0];
    }

    void take_affine(const Node& node, double scale, double offset) {
        if (found_.kind == FirstNormalization::Kind::product) return;  // a bias
        scale_ *= scale;
        offset_ = offset_ * scale + offset;
        if (!is_affine_) affine_node_ = node.describe();
        is_affine_ = true;
    }

    ValueId arithmetic(const Node& node, ValueId value) {
        static constexpr std::array<std::string_view, 4> operators{"Add", "Sub", "Mul", "Div"};
        if (!is_one_of(node.op_type, operators) || node.inputs.size() != 2) return {};
        const bool is_first = node.inputs[0] == value;
        const auto values = constant(node, is_first ? 1 : 0);
        if (!values) return {};
        const double mean =
            std::accumulate(values->begin(), values->end(), 0.0) / double(values->size());
        if (node.op_type == "Add") take_affine(node, 1, mean);
        else if (node.op_type == "Sub")
            take_affine(node, is_first ? 1 : -1, is_first ? -mean : mean);
        else if (node.op_type == "Mul") take_affine(node, mean, 0);
        else if (is_first && mean != 0) take_affine(node, 1 / mean, 0);
        else return {};
        return node.outputs[0];
    }

    const Graph& graph_;
    FirstNormalization found_;
    std::vector<NodeId> nodes_;
    bool is_affine_ = false;
    std::string affine_node_;
    double scale_ = 1, offset_ = 0;
};

}  // namespace

FirstNormalization first_normalization(const Graph& graph, const std::string& input) {
    const ValueId value = graph.find_value(input);
    return value ? Walk(graph).from(value) : FirstNormalization();
}

}  // namespace lapidary

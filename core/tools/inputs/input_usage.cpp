// SPDX-License-Identifier: Apache-2.0
#include "inputs/input_usage.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/at.h"
#include "inputs/usage_table.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

/// A constant as an integer. Large ones are clamped and NaN becomes 0, since they show nothing
/// about an input.
std::int64_t whole(double value) {
    constexpr double most = 4611686018427387904.0;  // 2^62: its negation fits too
    return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -most, most));
}

/// The value's elements arrive at output 0, moved or converted.
bool passes_through(const Node& node, std::size_t input) {
    if (!node.domain.empty()) return false;
    const OperatorTraits& traits = traits_of(node);
    if (traits.elements == Elements::any_operand) return true;
    if (traits.layout == OperatorLayout::ternary) return input > 0;
    // Of single numbers: those that leave a sensible index or size as it is.
    const bool keeps_indices = node.op_type == "Cast" || node.op_type == "Clip" ||
                               node.op_type == "Abs" || node.op_type == "Dropout";
    return input == 0 &&
           (traits.is_moved() || keeps_indices || traits.layout == OperatorLayout::pad);
}

class UsageWalk {
public:
    UsageWalk(const Model& model,
              const std::function<std::optional<std::int64_t>(const Dim&)>& size_of)
        : model_(model), size_of_(size_of) {}

    InputUsage walk(ValueId input) {
        push(model_.graph, input, 0);
        while (!pending_.empty()) {
            const Item item = pending_.back();
            pending_.pop_back();
            visit(item);
        }
        return usage_;
    }

private:
    struct Item {
        const Graph* graph;
        ValueId value;
        std::int64_t offset;  // added to the input on the way here
    };

    void push(const Graph& graph, ValueId value, std::int64_t offset) {
        if (value && seen_.insert({&graph, value.index}).second)
            pending_.push_back({&graph, value, offset});
    }

    void visit(const Item& item) {
        const Value& value = item.graph->value(item.value);
        for (const Use& use : value.uses) visit_use(item, item.graph->node(use.node), use.input);
        for (const NodeId id : value.captured_by)
            for (const Attribute& attribute : item.graph->node(id).attributes)
                for_each_body(attribute, [&](const Graph& body) {
                    for (const ValueId inner : body.values())
                        if (body.value(inner).kind == ValueKind::captured &&
                            body.value(inner).outer == item.value)
                            push(body, inner, item.offset);
                });
    }

    template <typename F>
    void for_each_body(const Attribute& attribute, F&& f) {
        if (const auto* graph = std::get_if<GraphPtr>(&attribute.value); graph && *graph)
            f(**graph);
        if (const auto* graphs = std::get_if<std::vector<GraphPtr>>(&attribute.value))
            for (const GraphPtr& graph : *graphs)
                if (graph) f(*graph);
    }

    std::optional<std::int64_t> dim_of(const Graph& graph, const Node& node, std::size_t input,
                                       std::int64_t axis) {
        if (input >= node.inputs.size() || !node.inputs[input]) return std::nullopt;
        const Value& value = graph.value(node.inputs[input]);
        if (value.constant) {
            const Shape& shape = value.constant->shape();
            const auto rank = static_cast<std::int64_t>(shape.size());
            if (axis < 0) axis += rank;
            return axis >= 0 && axis < rank ? std::optional(at(shape, axis)) : std::nullopt;
        }
        if (!value.type.shape) return std::nullopt;
        const auto rank = static_cast<std::int64_t>(value.type.shape->size());
        if (axis < 0) axis += rank;
        return axis >= 0 && axis < rank ? size_of_(at(*value.type.shape, axis)) : std::nullopt;
    }

    std::optional<std::int64_t> rank_of(const Graph& graph, const Node& node, std::size_t input) {
        if (input >= node.inputs.size() || !node.inputs[input]) return std::nullopt;
        const Value& value = graph.value(node.inputs[input]);
        if (value.constant) return value.constant->rank();
        return value.type.shape ? std::optional<std::int64_t>(std::ssize(*value.type.shape))
                                : std::nullopt;
    }

    /// The constant behind an input: an initializer or the output of a Constant node.
    const Tensor* constant_of(const Graph& graph, const Node& node, std::size_t input) {
        if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
        const Value& value = graph.value(node.inputs[input]);
        if (value.is_constant()) return value.constant ? &*value.constant : nullptr;
        if (!value.producer) return nullptr;
        const Node& producer = graph.node(value.producer);
        return producer.op_type == "Constant" && producer.domain.empty()
                   ? producer.tensor_attribute("value")
                   : nullptr;
    }

    std::optional<double> scalar_of(const Graph& graph, const Node& node, std::size_t input) {
        const Tensor* tensor = constant_of(graph, node, input);
        if (!tensor || tensor->size() != 1 ||
            !(is_integer(tensor->dtype()) || is_float(tensor->dtype())))
            return std::nullopt;
        return to_doubles(*tensor)[0];
    }

    void bound(const Item& item, std::optional<std::int64_t> size) {
        if (!size) return;
        const std::int64_t below = std::max<std::int64_t>(1, *size - item.offset);
        usage_.below = std::min(usage_.below.value_or(below), below);
    }

    void visit_use(const Item& item, const Node& node, std::size_t input) {
        const Graph& graph = *item.graph;
        const std::string& op = node.op_type;
        if (const Function* function = model_.find_function(node.domain, op, node.overload)) {
            if (function->body && input < function->body->inputs().size())
                push(*function->body, function->body->inputs()[input], item.offset);
            return;
        }
        if (node.domain == "ai.onnx.ml") return visit_machine_learning(item, node, input);
        if (node.domain == "com.microsoft") return visit_contrib(item, node, input);
        if (!node.domain.empty()) return;
        add_table_usage(op, input, usage_);
        if (op == "OneHot" ? input == 0 : input >= 1) visit_index(item, node, input);
        visit_lengths(graph, node, input);
        if (input >= 1) visit_list(item, node, input);
        if (input < 2) visit_operand(item, node, input);
        if (op == "Loop" || op == "Scan") visit_body(item, node, input);
        if (passes_through(node, input))
            for (const ValueId output : node.outputs) push(graph, output, item.offset);
    }

    /// Indices stay below the size that they choose from.
    void visit_index(const Item& item, const Node& node, std::size_t input) {
        const Graph& graph = *item.graph;
        const std::string& op = node.op_type;
        if (op == "RotaryEmbedding") {  // positions
            if (input == 3) bound(item, dim_of(graph, node, 1, 0));
        } else if (op != "OneHot" && input != 1) {
            return;
        } else if (op == "NegativeLogLikelihoodLoss" ||
                   op == "SoftmaxCrossEntropyLoss") {  // labels
            bound(item, dim_of(graph, node, 0, 1));
        } else if (op == "MaxUnpool") {
            // The output has at least as many elements as the input, so any position is valid.
            std::int64_t count = 1;
            const std::int64_t rank = rank_of(graph, node, 0).value_or(0);
            for (std::int64_t axis = 0; axis < rank; ++axis)
                count *= dim_of(graph, node, 0, axis).value_or(1);
            bound(item, count);
        } else if (op == "Gather" || op == "GatherElements" || op == "ScatterElements" ||
                   op == "Scatter") {
            bound(item, dim_of(graph, node, 0, node.int_attribute("axis", 0)));
        } else if (op == "GatherND" || op == "ScatterND") {
            const std::int64_t first = node.int_attribute("batch_dims", 0);
            const std::int64_t count = dim_of(graph, node, 1, -1).value_or(1);
            for (std::int64_t k = 0; k < std::min<std::int64_t>(count, 64); ++k)
                bound(item, dim_of(graph, node, 0, first + k));
        } else if (op == "OneHot") {
            if (const auto depth = scalar_of(graph, node, 1)) bound(item, whole(*depth));
        }
    }

    /// Whether the input is a list of axes.
    static bool takes_axes(const std::string& op, std::size_t input) {
        if (op == "Slice" || op == "Pad") return input == 3;
        return input == 1 && (op == "Unsqueeze" || op.starts_with("Reduce"));
    }

    /// Axes and sizes, which only make sense together.
    void visit_list(const Item& item, const Node& node, std::size_t input) {
        const Graph& graph = *item.graph;
        const std::string& op = node.op_type;
        const std::int64_t rank = rank_of(graph, node, 0).value_or(0);
        const auto sizes = [&] {
            for (std::int64_t axis = 0; axis < rank; ++axis)
                usage_.list.push_back(dim_of(graph, node, 0, axis).value_or(1));
        };
        if (takes_axes(op, input)) {
            usage_.list.clear();
            for (std::int64_t axis = 0;
                 axis < std::max<std::int64_t>(rank, 1) + (op == "Unsqueeze" ? 4 : 0); ++axis)
                usage_.list.push_back(axis);
        } else if (op == "Squeeze" && input == 1) {
            visit_squeezed(graph, node, rank);
        } else if (op == "Resize" && input == 1 && node.version < 11) {
            usage_.exactly = 1;  // scales, which later versions have as input 2
        } else if (op == "SplitToSequence" && input == 1) {
            visit_chunks(item, node);
        } else if ((op == "Resize" && input == 3) || (op == "CenterCropPad" && input == 1)) {
            usage_.list.clear();
            sizes();
        } else if (op == "Reshape" && input == 1) {
            visit_shape(item, node, rank);
        } else if (op == "Split" && input == 1) {
            visit_parts(item, node);
        } else if (op == "AffineGrid" && input == 1) {
            usage_.list = {dim_of(graph, node, 0, 0).value_or(1), 1, 4};
        }
    }

    /// The axes that Squeeze can take away.
    void visit_squeezed(const Graph& graph, const Node& node, std::int64_t rank) {
        usage_.list.clear();
        for (std::int64_t axis = 0; axis < rank; ++axis)
            if (dim_of(graph, node, 0, axis) == std::int64_t{1}) usage_.list.push_back(axis);
        if (usage_.list.empty()) usage_.list.push_back(0);
    }

    /// The shape that Reshape is given.
    void visit_shape(const Item& item, const Node& node, std::int64_t rank) {
        const auto& shape = item.graph->value(item.value).type.shape;
        const bool same_rank = shape && shape->size() == 1 && size_of_(shape->front()) == rank;
        usage_.list = same_rank && node.int_attribute("allowzero", 0) == 0
                          ? std::vector<std::int64_t>{0}
                          : std::vector<std::int64_t>{-1, 1};
    }

    /// Sizes of the parts of Split: as equal as can be.
    void visit_parts(const Item& item, const Node& node) {
        set_parts(item, node, std::ssize(node.outputs));
    }
    /// SplitToSequence: one size for all parts, or the size of each.
    void visit_chunks(const Item& item, const Node& node) {
        const auto& shape = item.graph->value(item.value).type.shape;
        const auto parts = shape && shape->size() == 1 ? size_of_(shape->front()) : std::nullopt;
        if (parts) set_parts(item, node, *parts);
        else usage_.exactly = 1;
    }
    void set_parts(const Item& item, const Node& node, std::int64_t parts) {
        constexpr std::int64_t most_parts = 4096;
        if (parts < 1 || parts > most_parts) return;
        const std::int64_t size =
            dim_of(*item.graph, node, 0, node.int_attribute("axis", 0)).value_or(1);
        usage_.list.assign(static_cast<std::size_t>(parts), size / parts);
        usage_.list.back() += size % parts;
    }

    /// Lengths of sequences are those of the axis of time.
    void visit_lengths(const Graph& graph, const Node& node, std::size_t input) {
        const std::string& op = node.op_type;
        if (op == "ReverseSequence" && input == 1)
            usage_.length_of = dim_of(graph, node, 0, node.int_attribute("time_axis", 0));
        if ((op == "LSTM" || op == "GRU" || op == "RNN") && input == 4)
            usage_.length_of = dim_of(graph, node, 0, node.int_attribute("layout", 0));
    }

    /// What is added to or compared with a constant.
    void visit_operand(const Item& item, const Node& node, std::size_t input) {
        const std::string& op = node.op_type;
        if (op != "Equal" && op != "Add" && op != "Sub") return;
        const auto other = scalar_of(*item.graph, node, 1 - input);
        if (!other) return;
        if (op == "Equal" && item.offset == 0) usage_.known_integers.push_back(whole(*other));
        if (op == "Add") push_output(item, node, whole(*other));
        if (op == "Sub" && input == 0) push_output(item, node, -whole(*other));
        if (op == "Sub" && input == 1 && *other == 1.0) usage_.is_mask = true;  // 1 - mask
    }

    void push_output(const Item& item, const Node& node, std::int64_t added) {
        std::int64_t offset;
        if (!node.outputs.empty() && !__builtin_add_overflow(item.offset, added, &offset))
            push(*item.graph, node.outputs[0], offset);
    }

    void visit_body(const Item& item, const Node& node, std::size_t input) {
        const GraphPtr body = node.graph_attribute("body");
        if (!body || (node.op_type == "Loop" && input < 2)) return;
        if (input < body->inputs().size()) push(*body, body->inputs()[input], item.offset);
    }

    void visit_machine_learning(const Item& item, const Node& node, std::size_t input) {
        if (input != 0 && !(node.op_type == "ArrayFeatureExtractor" && input == 1)) return;
        if (node.op_type == "ArrayFeatureExtractor" && input == 1)
            bound(item, dim_of(*item.graph, node, 0, -1));
        for (const char* name : {"keys_int64s", "cats_int64s", "int64_vocabulary"})
            if (node.has_attribute(name)) usage_.known_integers = node.ints_attribute(name);
        for (const char* name :
             {"keys_strings", "cats_strings", "string_vocabulary", "classes_strings"})
            if (node.has_attribute(name)) usage_.known_strings = node.strings_attribute(name);
        if (node.op_type == "Imputer" || node.op_type == "Scaler" || node.op_type == "Normalizer" ||
            node.op_type == "FeatureVectorizer")
            for (const ValueId output : node.outputs) push(*item.graph, output, item.offset);
    }

    void visit_contrib(const Item& item, const Node& node, std::size_t input) {
        const Graph& graph = *item.graph;
        if (node.op_type == "EmbedLayerNormalization") {
            if (input == 0) bound(item, dim_of(graph, node, 2, 0));
            if (input == 1) bound(item, dim_of(graph, node, 4, 0));
            if (input == 8) bound(item, dim_of(graph, node, 3, 0));
            if (input == 7) usage_.is_mask = true;
        } else if (node.op_type == "RotaryEmbedding") {
            if (input == 1) visit_rotary_positions(item, node);
        } else if ((node.op_type == "Attention" && input == 3) ||
                   (node.op_type == "MultiHeadAttention" && input == 4)) {
            visit_key_mask(item, node);
        } else if (node.op_type == "GroupQueryAttention") {
            visit_totals(item, node, input);
        } else if (node.op_type == "BeamSearch" || node.op_type == "WhisperBeamSearch" ||
                   node.op_type == "GreedySearch" || node.op_type == "Sampling") {
            visit_generation(item, node, input);
        } else if (node.op_type == "QAttention" && (input == 3 || input == 4)) {
            usage_.is_positive = true;
        } else {
            visit_contrib_indices(item, node, input);
            visit_contrib_choices(node, input);
        }
    }

    /// Indices into rows of another input.
    void visit_contrib_indices(const Item& item, const Node& node, std::size_t input) {
        const Graph& graph = *item.graph;
        if (node.op_type == "TorchEmbedding" || node.op_type == "CropAndResize") {
            const std::size_t indices = node.op_type == "TorchEmbedding" ? 1 : 2;
            if (input == indices) bound(item, dim_of(graph, node, 0, 0));
        } else if (node.op_type == "NGramRepeatBlock") {
            if (input == 0) bound(item, dim_of(graph, node, 1, -1));
        } else if (node.op_type == "GatherND" || node.op_type == "GatherBlockQuantized") {
            if (input == 1)
                bound(item, dim_of(graph, node, 0, node.int_attribute("gather_axis", 0)));
        }
    }

    /// Single numbers for which only few values make sense.
    void visit_contrib_choices(const Node& node, std::size_t input) {
        if (node.op_type == "ExpandDims") {
            if (input == 1) usage_.exactly = 0;
        } else if (node.op_type == "BiasDropout" || node.op_type == "BitmaskDropout") {
            const std::size_t ratio = node.op_type == "BiasDropout" ? 3 : 1;
            if (input == ratio) usage_.exactly = 0.5;
            if (input == ratio + 1) usage_.exactly = 0;
        }
    }

    /// How many keys grouped-query attention has; where the queries are no input, by their own
    /// sizes.
    void visit_totals(const Item& item, const Node& node, std::size_t input) {
        if (input != 5 && input != 6) return;
        usage_.total = input == 5 ? InputUsage::Total::last_key : InputUsage::Total::key_count;
        const bool is_constant =
            !node.inputs.empty() && item.graph->value(node.inputs[0]).is_constant();
        const auto queries = dim_of(*item.graph, node, 0, 1);
        if (!is_constant || !queries) return;
        usage_.total = InputUsage::Total::none;
        usage_.exactly = static_cast<double>(dim_of(*item.graph, node, 3, 2).value_or(0) +
                                             *queries - (input == 5));
    }

    /// Positions are rows of the tables of sines; a single one is that of the first token of all.
    void visit_rotary_positions(const Item& item, const Node& node) {
        const auto rows = dim_of(*item.graph, node, 2, 0);
        const auto& shape = item.graph->value(item.value).type.shape;
        const bool is_first =
            shape && std::ranges::all_of(*shape, [&](const Dim& d) { return size_of_(d) == 1; });
        bound(item, is_first ? std::optional<std::int64_t>(1) : rows);
    }

    /// Rank 1: how many keys each sequence has; else ones.
    void visit_key_mask(const Item& item, const Node& node) {
        const auto& shape = item.graph->value(item.value).type.shape;
        if (!shape || shape->size() != 1) usage_.is_mask = true;
        else usage_.length_of = dim_of(*item.graph, node, node.op_type == "Attention" ? 0 : 1, 1);
    }

    /// The text generation operators hand their token ids to a decoder subgraph.
    void visit_generation(const Item& item, const Node& node, std::size_t input) {
        if (input == 0) {
            if (const std::int64_t vocabulary = node.int_attribute("vocab_size", -1);
                vocabulary > 0)
                bound(item, vocabulary);
            for (const char* name : {"encoder", "init_decoder", "decoder"})
                if (const GraphPtr body = node.graph_attribute(name);
                    body && !body->inputs().empty())
                    push(*body, body->inputs()[0], item.offset);
        }
        const bool has_beams = node.op_type.ends_with("BeamSearch");
        constexpr double beam_values[] = {0, 16, 1, 2, 1, 1, 1};
        if (has_beams && input == 10)  // decoder_input_ids of Whisper
            if (const GraphPtr encoder = node.graph_attribute("encoder");
                encoder && encoder->inputs().size() > 1)
                push(*encoder, encoder->inputs()[1], item.offset);
        if (has_beams && input == 11) usage_.exactly = 0;  // logits_processor
        if (has_beams && input == 14) usage_.exactly = 1;  // temperature
        if (!has_beams && input == 8) usage_.exactly = 0;  // seed
        if (input == 1) usage_.exactly = 16;               // max_length, prompts have 8
        else if (input == 2) usage_.exactly = 1;           // min_length
        else if (has_beams && input < std::size(beam_values) && input > 2)
            usage_.exactly = beam_values[input];
        else if (!has_beams && input == 3) usage_.exactly = 1;  // repetition_penalty
    }

    const Model& model_;
    const std::function<std::optional<std::int64_t>(const Dim&)>& size_of_;
    InputUsage usage_;
    std::vector<Item> pending_;
    std::set<std::pair<const Graph*, std::uint32_t>> seen_;
};

}  // namespace

InputUsage usage_of_input(const Model& model, ValueId input,
                          const std::function<std::optional<std::int64_t>(const Dim&)>& size_of) {
    return UsageWalk(model, size_of).walk(input);
}

}  // namespace lapidary

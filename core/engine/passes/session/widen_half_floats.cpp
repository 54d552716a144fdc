// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(x, weight) in float16 or bfloat16
//   after:   y = Cast(MatMul(Cast(x), weight as float)), neighbours passing float on to each other
//            without the casts between
// Few CPUs multiply 16-bit floats, and kernels for them compute in float all the same. Operators
// that cost something are computed in float always, cheap ones and those that only move elements
// where their operands are float already.
#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "rewrite/pass.h"
#include "rewrite/widened_constant.h"

namespace lapidary::passes {
namespace {

constexpr std::array<std::string_view, 32> costly{"Attention",
                                                  "AveragePool",
                                                  "BatchNormalization",
                                                  "BiasGelu",
                                                  "Conv",
                                                  "ConvTranspose",
                                                  "EmbedLayerNormalization",
                                                  "FastGelu",
                                                  "FusedConv",
                                                  "FusedGemm",
                                                  "FusedMatMul",
                                                  "GRU",
                                                  "Gelu",
                                                  "Gemm",
                                                  "GlobalAveragePool",
                                                  "GroupNormalization",
                                                  "GroupQueryAttention",
                                                  "InstanceNormalization",
                                                  "LSTM",
                                                  "LayerNormalization",
                                                  "LogSoftmax",
                                                  "MatMul",
                                                  "MaxPool",
                                                  "MultiHeadAttention",
                                                  "QuickGelu",
                                                  "RMSNormalization",
                                                  "RNN",
                                                  "RotaryEmbedding",
                                                  "SimplifiedLayerNormalization",
                                                  "SkipLayerNormalization",
                                                  "SkipSimplifiedLayerNormalization",
                                                  "Softmax"};
constexpr std::array<std::string_view, 33> cheap{
    "Abs",        "Add",        "Clip",   "Concat",      "Div",       "Erf",      "Exp",
    "Expand",     "Flatten",    "Gather", "HardSigmoid", "HardSwish", "Identity", "LeakyRelu",
    "Max",        "Min",        "Mul",    "Neg",         "PRelu",     "Pad",      "Pow",
    "Reciprocal", "ReduceMean", "Relu",   "Reshape",     "Sigmoid",   "Slice",    "Split",
    "Sqrt",       "Squeeze",    "Sub",    "Tanh",        "Transpose"};

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }
bool is_half(const Graph& graph, ValueId id) { return id && is_half(graph.value(id).type.dtype); }

class Widening {
public:
    explicit Widening(PassContext& context)
        : context_(context), graph_(context.graph()), edit_(context.edit()) {}

    void run() {
        for (NodeId id : context_.nodes()) {
            if (!context_.may_rewrite()) return;
            const Node& n = graph_.node(id);
            if (!n.domain.empty() && n.domain != "com.microsoft") continue;
            if (std::ranges::binary_search(costly, n.op_type)) widen(id);
            else if (reads_wide(n) && !reads_table(n)) consider(id);
        }
        if (context_.may_rewrite()) erase_unread();
    }

private:
    bool reads_wide(const Node& n) const {
        return std::ranges::any_of(n.inputs, [&](ValueId id) { return wide_.contains(id); });
    }
    /// An embedding: a few rows in 16 bits are cheaper to widen than the table is to keep in 32.
    bool reads_table(const Node& n) const {
        return n.op_type == "Gather" && graph_.value(n.inputs[0]).is_constant() &&
               !is_small_constant(n.inputs[0]);
    }
    /// Widens an operator that costs little, one of whose operands is float32 already, if all
    /// others are or can be.
    void consider(NodeId id) {
        const Node& n = graph_.node(id);
        if (!std::ranges::binary_search(cheap, n.op_type)) {
            if (n.op_type != "Cast" &&
                std::ranges::any_of(n.outputs, [&](ValueId v) { return is_half(graph_, v); }))
                context_.miss(id, n.op_type +
                                      " is not among the operators that are computed in float32 "
                                      "for the sake of those before");
            return;
        }
        for (ValueId input : n.inputs)
            if (is_half(graph_, input) && !wide_.contains(input) && !is_small_constant(input)) {
                context_.miss(id, "its operand " + quote(graph_.value(input).name) + " stays " +
                                      std::string(name_of(graph_.value(input).type.dtype)));
                return;
            }
        widen(id);
    }
    /// Casts back to 16 bits that nothing reads any more, and constants of 16 bits.
    void erase_unread() {
        std::size_t erased = 0;
        for (NodeId id : narrowing_)
            if (graph_.value(graph_.node(id).outputs[0]).is_unused()) {
                edit_.erase(id);
                ++erased;
            }
        for (ValueId id : constants_)
            if (graph_.value(id).is_unused()) {
                edit_.erase_value(id);
                context_.touched();
            }
        if (erased > 0)
            context_.record(std::to_string(erased) +
                            " values between stay float32: no Cast to 16 bits and back");
    }
    bool is_small_constant(ValueId id) const {
        const Value& v = graph_.value(id);
        return v.is_constant() && v.constant && v.constant->size() < 65536;
    }

    Type float_type(ValueId id) const {
        Type type = graph_.value(id).type;
        type.dtype = DType::f32;
        return type;
    }

    ValueId wide_of(ValueId id) {
        if (const auto it = wide_.find(id); it != wide_.end()) return it->second;
        const Value& v = graph_.value(id);
        ValueId wide;
        if (v.is_constant() && v.constant) {
            wide = edit_.add_initializer(edit_.fresh_name(v.name + "_float"),
                                         widened_constant(*v.constant));
            constants_.push_back(id);
        } else {
            wide = edit_.add_value(edit_.fresh_name(v.name + "_float"), float_type(id));
            edit_.set_origins(edit_.add_node(cast(id, wide, DType::f32)), reader_origins_);
        }
        wide_[id] = wide;
        return wide;
    }

    static NodeSpec cast(ValueId from, ValueId to, DType dtype) {
        NodeSpec spec{.op_type = "Cast",
                      .inputs = {from},
                      .outputs = {to},
                      .attributes = {{"to", static_cast<std::int64_t>(dtype), {}, {}}}};
        spec.version = 13;
        return spec;
    }

    /// Caches of 16 bits are read and written as they are.
    bool has_half_cache(const Node& n) const {
        constexpr std::size_t past_key = 3, past_value = 4;
        return n.op_type == "GroupQueryAttention" && n.inputs.size() > past_value &&
               is_half(graph_, n.inputs[past_key]) &&
               type_of(n.inputs[past_key]) == type_of(n.inputs[past_value]);
    }
    DType type_of(ValueId id) const { return id ? graph_.value(id).type.dtype : DType::undefined; }
    /// Ports of 16 bits that become float.
    std::vector<std::size_t> half_inputs(const Node& n) const {
        return half_ports(n.inputs, has_half_cache(n) ? 3 : n.inputs.size());
    }
    std::vector<std::size_t> half_outputs(const Node& n) const {
        return half_ports(n.outputs, has_half_cache(n) ? 1 : n.outputs.size());
    }
    /// Without the two caches from `caches` on.
    std::vector<std::size_t> half_ports(const std::vector<ValueId>& values,
                                        std::size_t caches) const {
        std::vector<std::size_t> ports;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (is_half(graph_, values[i]) && (i < caches || i >= caches + 2)) ports.push_back(i);
        return ports;
    }

    void widen(NodeId id) {
        const std::vector<std::size_t> inputs = half_inputs(graph_.node(id)),
                                       outputs = half_outputs(graph_.node(id));
        if (inputs.empty() && outputs.empty()) return;
        reader_origins_ = graph_.node(id).origins;
        for (const std::size_t i : inputs)
            edit_.set_input(id, i, wide_of(graph_.node(id).inputs[i]));
        widen_outputs(id, outputs);
        context_.record(graph_.node(id).op_type + " is computed in float32");
    }
    void widen_outputs(NodeId id, const std::vector<std::size_t>& widened) {
        const std::vector<ValueId> outputs = edit_.take_outputs(id);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (std::ranges::find(widened, i) == widened.end()) {
                edit_.set_output(id, i, outputs[i]);
                continue;
            }
            const ValueId wide = edit_.add_value(
                edit_.fresh_name(graph_.value(outputs[i]).name + "_float"), float_type(outputs[i]));
            edit_.set_output(id, i, wide);
            narrowing_.push_back(
                edit_.add_node(cast(wide, outputs[i], graph_.value(outputs[i]).type.dtype)));
            edit_.set_origins(narrowing_.back(), reader_origins_);
            wide_[outputs[i]] = wide;
        }
    }

    PassContext& context_;
    const Graph& graph_;
    GraphEdit& edit_;
    std::map<ValueId, ValueId> wide_;
    std::vector<NodeId> narrowing_;
    std::vector<ValueId> constants_;
    std::vector<NodeId> reader_origins_;  // of the node that is being widened
};

void widen(PassContext& context) {
    static_assert(std::ranges::is_sorted(costly) && std::ranges::is_sorted(cheap));
    Widening(context).run();
}

}  // namespace

PassBody widen_half_floats() { return {.run = widen}; }

}  // namespace lapidary::passes

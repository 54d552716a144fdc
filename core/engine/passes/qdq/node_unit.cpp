// SPDX-License-Identifier: Apache-2.0
#include "passes/qdq/node_unit.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <lapidary/base/error.h>

namespace lapidary::passes {
namespace {

bool is_operator(const Node& node, std::string_view op) {
    return node.op_type == op && (node.domain.empty() || node.domain == "com.microsoft");
}

/// 4-bit types too.
Tensor zero_tensor(DType dtype, Shape shape) {
    Tensor t(dtype, std::move(shape));
    if (t.byte_size() > 0) std::memset(t.mutable_raw(), 0, t.byte_size());
    return t;
}

Quantization read(const Scope& scope, const Node& node, bool to_float) {
    Quantization q;
    q.node = node.id;
    q.stored = to_float ? node.inputs.at(0) : node.outputs.at(0);
    q.real = to_float ? node.outputs.at(0) : node.inputs.at(0);
    q.scale = node.inputs.at(1);
    if (node.inputs.size() > 2) q.zero_point = node.inputs[2];
    q.dtype = scope.dtype(q.stored);
    if (const Tensor* t = scope.constant(q.scale)) q.scales = *t;
    if (const Tensor* t = scope.constant(q.zero_point)) q.zeros = *t;
    if (!q.zero_point && is_integer(q.dtype)) q.zeros = zero_tensor(q.dtype, {});
    q.block_size = node.int_attribute("block_size", 0);
    q.axis = node.int_attribute("axis", 1);
    if (q.axis < 0 && scope.rank(q.stored) >= 0) q.axis += scope.rank(q.stored);
    const std::int64_t precision = node.int_attribute("precision", 0);
    q.plain_rounding = precision == 0 || precision == static_cast<std::int64_t>(DType::f32);
    return q;
}

}  // namespace

bool distinguishes_in_f16(const Scope& scope, const Quantization& q) {
    if (q.dtype != DType::u8 && q.dtype != DType::i8) return false;
    if (!q.is_constant() || !q.per_tensor() || q.scales->dtype() != DType::f16 ||
        scope.dtype(q.real) != DType::f16)
        return false;
    constexpr double largest_f16 = 65504;
    const auto [low, high] = integer_range(q.dtype);
    const std::int64_t farthest = std::max(high - q.zero_value(), q.zero_value() - low);
    return static_cast<double>(farthest) * q.scale_value() <= largest_f16;
}

namespace {

bool is_eight_bit(DType t) { return t == DType::u8 || t == DType::i8; }
bool is_sixteen_bit(DType t) { return t == DType::u16 || t == DType::i16; }

/// Why one scale per channel does not meet the demand; empty: it does.
std::string channel_problem(const Scope& scope, const Quantization& q, const std::string& name,
                            const Demand& demand) {
    if (demand.channel_axis < 0)
        return fmt::format("{} is quantized per channel ({} scales), needs one scale", name,
                           q.scales->size());
    if (q.axis != demand.channel_axis)
        return fmt::format("{} is quantized along axis {}, needs axis {}", name, q.axis,
                           demand.channel_axis);
    if (!scope.constant(q.stored)) return name + " is quantized per channel and no constant";
    const std::vector<std::int64_t> zeros = to_int64s(*q.zeros);
    if (!demand.any_zeros &&
        std::ranges::any_of(zeros, [&](std::int64_t z) { return z != zeros[0]; }))
        return "the zero points of the channels of " + name + " differ";
    return {};
}

/// Why scales or floats are not f32, if the demand requires that; empty: they are.
std::string float_problem(const Scope& scope, const Quantization& q, const std::string& name,
                          const Demand& demand) {
    if (!demand.f32 || (demand.keeps_order && distinguishes_in_f16(scope, q))) return {};
    if (q.scales->dtype() != DType::f32)
        return fmt::format("the scale of {} is {}, the integer operator takes f32", name,
                           name_of(q.scales->dtype()));
    if (scope.dtype(q.real) != DType::f32)
        return fmt::format("{} is computed in {}, the integer operator stands for f32", name,
                           name_of(scope.dtype(q.real)));
    return {};
}

std::string problem(const Scope& scope, const Quantization& q, const std::string& name,
                    const Demand& demand) {
    if (!is_eight_bit(q.dtype) && (demand.eight_bit || !is_sixteen_bit(q.dtype)))
        return fmt::format("{} is quantized to {}, needs {}", name, name_of(q.dtype),
                           demand.eight_bit ? "u8 or i8" : "8 or 16 bits");
    if (!q.scales) return "the scale of " + name + " is no constant";
    if (!q.zeros) return "the zero point of " + name + " is no constant";
    if (!q.plain_rounding)
        return name + " is quantized with 16-bit precision, which rounds differently";
    if (q.block_size != 0) return name + " is quantized in blocks, needs one scale";
    if (!q.per_tensor())
        if (std::string found = channel_problem(scope, q, name, demand); !found.empty())
            return found;
    if (std::string found = float_problem(scope, q, name, demand); !found.empty()) return found;
    for (const double s : to_doubles(*q.scales))
        if (!(s > 0) || !std::isfinite(s))
            return fmt::format("the scale of {} is {:g}, no positive number", name, s);
    return {};
}

}  // namespace

bool is_dequantize(const Node& node) { return is_operator(node, "DequantizeLinear"); }
bool is_quantize(const Node& node) { return is_operator(node, "QuantizeLinear"); }

std::optional<Quantization> dequantize_of(const Scope& scope, ValueId value) {
    const Node* node = scope.producer(value);
    if (!node || !is_dequantize(*node)) return std::nullopt;
    return read(scope, *node, true);
}

Quantization quantization_of(const Scope& scope, const Node& node) {
    return read(scope, node, is_dequantize(node));
}

bool same_parameters(const Quantization& a, const Quantization& b) {
    return a.dtype == b.dtype && is_integer(a.dtype) && a.is_constant() && b.is_constant() &&
           a.per_tensor() && b.per_tensor() && a.scales->dtype() == b.scales->dtype() &&
           a.scale_value() == b.scale_value() && a.zero_value() == b.zero_value();
}

std::pair<std::int64_t, std::int64_t> integer_range(DType dtype) {
    const auto bits = static_cast<int>(bit_width(dtype));
    if (is_signed_integer(dtype))
        return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
    return {0, (std::int64_t{1} << bits) - 1};
}

std::string describe(const Quantization& q) {
    return fmt::format("{} with scale {:g} and zero point {}", name_of(q.dtype), q.scale_value(),
                       q.zero_value());
}

ValueId zero_point_of(PassContext& context, const Quantization& q) {
    if (q.zero_point) return q.zero_point;
    return context.constant(context.graph().value(q.scale).name + "_zero_point",
                            zero_tensor(q.dtype, q.scales ? q.scales->shape() : Shape()));
}

NodeUnit::NodeUnit(const Scope& scope, NodeId target) : scope_(scope), target_(target) {
    const Node& n = node();
    for (ValueId v : n.inputs) inputs_.push_back(dequantize_of(scope, v));
    const Value& result = scope.value(n.outputs.at(0));
    if (result.output_uses > 0) no_output_ = "its result is a graph output in float, not quantized";
    else if (!result.captured_by.empty())
        no_output_ = "its result is read by a subgraph in float, not quantized";
    else if (result.uses.size() > 1)
        no_output_ =
            fmt::format("its result is read by {} operators, needs QuantizeLinear as the only one",
                        result.uses.size());
    else if (result.uses.empty()) no_output_ = "nothing reads its result";
    else {
        const Node& reader = scope.node(result.uses[0].node);
        if (is_quantize(reader) && result.uses[0].input == 0) output_ = read(scope, reader, false);
        else no_output_ = "its result goes to " + reader.describe() + " in float, not quantized";
    }
}

bool NodeUnit::is_partly_quantized() const {
    return output_ || std::ranges::any_of(inputs_, [](const auto& q) { return q.has_value(); });
}

std::vector<NodeId> NodeUnit::nodes() const {
    std::vector<NodeId> nodes;
    if (output_) nodes.push_back(output_->node);
    nodes.push_back(target_);
    for (const auto& q : inputs_)
        if (q && std::ranges::find(nodes, q->node) == nodes.end()) nodes.push_back(q->node);
    return nodes;
}

std::string NodeUnit::input_problem(std::size_t index, const std::string& name,
                                    const Demand& demand) const {
    if (index < inputs_.size() && inputs_[index])
        return problem(scope_, *inputs_[index], name, demand);
    return name + " is read in float, not through DequantizeLinear";
}

std::string NodeUnit::output_problem(const Demand& demand) const {
    if (!output_) return no_output_;
    return problem(scope_, *output_, "the result", demand);
}

std::string NodeUnit::type_problem(const Quantization& a, const std::string& a_name,
                                   const Quantization& b, const std::string& b_name) {
    if (a.dtype == b.dtype) return {};
    return fmt::format("{} is {} and {} is {}, they must agree", a_name, name_of(a.dtype), b_name,
                       name_of(b.dtype));
}

PassBody at_units(std::string_view operators,
                  std::function<Outcome(const NodeUnit&, PassContext&)> rewrite) {
    using namespace pattern;
    return {
        .rules = {{.pattern = op(operators, {any()}).more_inputs(),
                   .rewrite = [rewrite = std::move(rewrite)](const Match& m, PassContext& context) {
                       if (!context.graph().node(m.root()).outputs.at(0)) return not_concerned();
                       const NodeUnit unit(context.scope(), m.root());
                       return unit.is_partly_quantized() ? rewrite(unit, context) : not_concerned();
                   }}}};
}

std::string product_problem(const Quantization& a, const Quantization& b,
                            const std::optional<Quantization>& y) {
    if (a.dtype == DType::i8 && b.dtype != DType::i8)
        return "the activation is i8 and the weight u8; i8 activations need i8 weights";
    return y ? NodeUnit::type_problem(a, "the activation", *y, "the result") : std::string();
}

std::string accumulation_problem(std::int64_t terms) {
    constexpr std::int64_t largest = 0x7fffffff / (255 * 255);
    return terms > largest
               ? fmt::format("sums of {} products may not fit the i32 accumulator", terms)
               : std::string();
}

}  // namespace lapidary::passes

// SPDX-License-Identifier: Apache-2.0
//   before:  an integer product with a constant i8 weight and a u8 activation
//   after:   the same with a u8 weight, weight and zero point 128 higher: the same product
// For CPUs with AVX2 but without VNNI, whose u8 x i8 products add pairs in 16 bits and saturate.
// Off by default, as in ONNX Runtime.
#include <array>

#include <fmt/format.h>

#include "rewrite/constant_math.h"
#include "rewrite/pass.h"
#include "passes/qdq/shifted_to_u8.h"

namespace lapidary::passes {
namespace {

/// Indices of an operator's activation (or -1), weight and the weight's zero point among its
/// inputs.
struct Place {
    std::string_view op;
    int activation;
    std::size_t weight, zero_point;
};

constexpr std::array<Place, 10> places{{{"MatMulInteger", 0, 1, 3},
                                        {"ConvInteger", 0, 1, 3},
                                        {"QLinearMatMul", 0, 3, 5},
                                        {"QLinearConv", 0, 3, 5},
                                        {"com.microsoft::MatMulIntegerToFloat", 0, 1, 5},
                                        {"com.microsoft::DynamicQuantizeMatMul", -1, 1, 3},
                                        {"com.microsoft::QGemm", 0, 3, 5},
                                        {"com.microsoft::QAttention", 0, 1, 7},
                                        {"com.microsoft::DynamicQuantizeLSTM", -1, 1, 9},
                                        {"com.microsoft::DynamicQuantizeLSTM", -1, 2, 11}}};

/// Replaces a weight and its zero point in `inputs`. Returns why that is not possible, or empty.
std::string convert(PassContext& context, const Place& place, std::vector<ValueId>& inputs) {
    const Scope& scope = context.scope();
    if (inputs.size() <= place.weight || scope.dtype(inputs[place.weight]) != DType::i8) return "-";
    const Tensor* weight = scope.constant(inputs[place.weight]);
    if (!weight || weight->size() == 0) return "the i8 weight is no constant";
    if (place.activation >= 0 && scope.dtype(inputs[0]) != DType::u8)
        return fmt::format("the activation is {}, which takes i8 weights only",
                           name_of(scope.dtype(inputs[0])));
    const bool has_zero = inputs.size() > place.zero_point && inputs[place.zero_point];
    const Tensor* zero = has_zero ? scope.constant(inputs[place.zero_point]) : nullptr;
    if (has_zero && !zero) return "the zero point of the weight is computed";
    const Tensor new_weight = shifted_to_u8(*weight),
                 new_zero = zero ? shifted_to_u8(*zero) : tensor_of_doubles(DType::u8, {}, {128});
    const std::string name = scope.value(inputs[place.weight]).name;
    inputs.resize(std::max(inputs.size(), place.zero_point + 1));
    inputs[place.weight] = context.constant(name + "_u8", new_weight);
    inputs[place.zero_point] = context.constant(name + "_u8_zero_point", new_zero);
    return {};
}

}  // namespace

PassBody convert_weights_to_u8() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.may_rewrite()) return;
            const std::string op = context.graph().node(id).qualified_op();
            std::vector<ValueId> inputs = context.graph().node(id).inputs;
            const std::vector<ValueId> before = inputs;
            std::string problem;
            for (const Place& place : places)
                if (place.op == op)
                    if (std::string p = convert(context, place, inputs); !p.empty() && p != "-")
                        problem = p;
            if (inputs != before) {
                context.replace(id, op, std::move(inputs),
                                std::vector<Attribute>(context.graph().node(id).attributes));
                context.record("the i8 weight of " + op + " became u8, its zero point 128 higher");
            } else if (!problem.empty()) {
                context.miss(id, problem);
            }
        }
    }};
}

}  // namespace lapidary::passes

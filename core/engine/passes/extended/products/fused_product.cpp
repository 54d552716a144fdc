// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/products/fused_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lapidary/passes/device_passes.h>

#include "ops/operator_traits.h"
#include "passes/basic/rules/value_range.h"

namespace lapidary {

std::string conv_activations() {
    return operators_with(
        [](const OperatorTraits& traits) { return traits.has(OperatorFact::conv_activation); });
}

std::optional<std::vector<Attribute>> conv_activation(const Scope& scope, const Node& node,
                                                      std::string& why) {
    std::vector<float> parameters;
    if (node.op_type == "LeakyRelu") parameters = {node.float_attribute("alpha", 0.01f)};
    if (node.op_type == "HardSigmoid")
        parameters = {node.float_attribute("alpha", 0.2f), node.float_attribute("beta", 0.5f)};
    if (node.op_type == "Clip") {
        const auto bounds = clip_bounds(scope, node);
        if (!bounds) return why = "a bound of the Clip is no constant", std::nullopt;
        constexpr double most = std::numeric_limits<float>::max();
        parameters = {static_cast<float>(std::clamp(bounds->low, -most, most)),
                      static_cast<float>(std::clamp(bounds->high, -most, most))};
    }
    std::vector<Attribute> attributes{attr("activation", AttributeValue(node.op_type))};
    if (!parameters.empty())
        attributes.push_back(attr("activation_params", AttributeValue(parameters)));
    return attributes;
}

bool has_fused_kernel(const Scope& scope, DType dtype) {
    if (is_for_devices(scope.provider))
        return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
    return dtype == DType::f32 ||
           (scope.provider != "cpu" && (dtype == DType::f16 || dtype == DType::f64));
}
std::string no_fused_kernel(std::string_view op, DType dtype) {
    return std::string(op) + " has no CPU kernel for " + std::string(name_of(dtype)) +
           ", needs f32";
}

pattern::Check only_products_read() {
    return [](const pattern::Subject& s) {
        const Value& v = s.scope.value(s.value);
        return v.output_uses == 0 && v.captured_by.empty() &&
               std::ranges::all_of(v.uses, [&](const Use& u) {
                   const Node& reader = s.scope.node(u.node);
                   return (reader.domain.empty() && reader.op_type == "MatMul") ||
                          (reader.domain == "com.microsoft" && reader.op_type == "FusedMatMul");
               });
    };
}

MatMulAttributes MatMulAttributes::of(const Node& product) {
    MatMulAttributes a;
    if (product.op_type != "FusedMatMul") return a;
    a.alpha = product.float_attribute("alpha", 1.0f);
    a.transposed[0] = product.int_attribute("transA", 0) != 0;
    a.transposed[1] = product.int_attribute("transB", 0) != 0;
    a.batch_transposed[0] = product.int_attribute("transBatchA", 0) != 0;
    a.batch_transposed[1] = product.int_attribute("transBatchB", 0) != 0;
    return a;
}

std::vector<Attribute> MatMulAttributes::list() const {
    return {attr("alpha", static_cast<float>(alpha)), attr("transA", transposed[0] ? 1 : 0),
            attr("transB", transposed[1] ? 1 : 0), attr("transBatchA", batch_transposed[0] ? 1 : 0),
            attr("transBatchB", batch_transposed[1] ? 1 : 0)};
}

}  // namespace lapidary

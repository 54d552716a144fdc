// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_request.h"

namespace lapidary {

DType product_type(const KernelRequest& request, std::size_t inputs, std::string& reason) {
    DType common = DType::undefined;
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!request.has_input(i)) continue;
        const Tensor* constant = request.constant(i);
        const DType dtype = constant ? constant->dtype() : request.input_type(i).dtype;
        if (dtype == DType::undefined)
            reason =
                "the element type of input " + std::to_string(i) + " is not known before the run";
        else if (dtype != DType::f32 && dtype != DType::f16)
            reason = "products of " + std::string(name_of(dtype)) +
                     " are served by the reference kernel";
        else if (common != DType::undefined && dtype != common)
            reason = "the inputs have different element types";
        else {
            common = dtype;
            continue;
        }
        return DType::undefined;
    }
    return common;
}

std::optional<Activation> fused_activation(const Node& node, std::string& reason) {
    const std::string name = node.string_attribute("activation", "");
    std::optional<Activation> activation = activation_of(name);
    if (!activation) {
        reason = "activation " + quote(name) + " is served by the reference kernel";
        return std::nullopt;
    }
    // Absent parameters of these have the activation operator's own defaults, of the others
    // FusedGemm's.
    if (name != "Elu") {
        if (name != "HardSigmoid") activation->alpha = 0.01f;
        activation->beta = 0.5f;
    }
    activation->alpha = node.float_attribute("activation_alpha", activation->alpha);
    activation->beta = node.float_attribute("activation_beta", activation->beta);
    return activation;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "kernels/recurrent/cell_functions.h"

#include "kernels/reference/recurrent/recurrent_activation.h"

namespace lapidary {
namespace {

std::optional<Activation> activation_from(const reference::RecurrentActivation& a) {
    using Function = reference::RecurrentActivation::Function;
    switch (a.function) {
    case Function::relu: return Activation{ActivationKind::relu};
    case Function::tanh: return Activation{ActivationKind::tanh};
    case Function::sigmoid: return Activation{ActivationKind::sigmoid};
    case Function::leaky_relu: return Activation{ActivationKind::leaky_relu, a.alpha};
    case Function::hard_sigmoid: return Activation{ActivationKind::hard_sigmoid, a.alpha, a.beta};
    case Function::elu: return Activation{ActivationKind::elu, a.alpha};
    case Function::softplus: return Activation{ActivationKind::softplus};
    default: return {};
    }
}

}  // namespace

std::optional<std::vector<CellFunctions>> cell_functions(const Node& node,
                                                         const std::vector<std::string>& defaults,
                                                         std::int64_t directions,
                                                         std::string& reason) {
    const auto named =
        reference::read_activations(node, defaults, static_cast<std::size_t>(directions));
    std::vector<CellFunctions> functions;
    for (std::size_t i = 0; i < named.size(); i += defaults.size()) {
        Activation all[3];
        for (std::size_t j = 0; j < defaults.size(); ++j) {
            const auto activation = activation_from(named[i + j]);
            if (!activation) {
                reason =
                    "activation functions other than Sigmoid, Tanh, Relu, LeakyRelu, HardSigmoid, "
                    "Elu and Softplus are "
                    "served by the reference kernel";
                return std::nullopt;
            }
            all[j] = *activation;
        }
        functions.push_back({all[0], all[1], all[2]});
    }
    return functions;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "kernels/activation.h"

#include <limits>

namespace lapidary {
namespace {

struct Named {
    std::string_view name;
    Activation activation;  // with the defaults of its parameters
};

constexpr float largest = std::numeric_limits<float>::max();
constexpr Named known[] = {
    {"", {}},
    {"Relu", {ActivationKind::relu}},
    {"LeakyRelu", {ActivationKind::leaky_relu, 0.01f}},
    {"Clip", {ActivationKind::clip, -largest, largest}},
    {"Sigmoid", {ActivationKind::sigmoid}},
    {"HardSigmoid", {ActivationKind::hard_sigmoid, 0.2f, 0.5f}},
    {"Tanh", {ActivationKind::tanh}},
    {"Gelu", {ActivationKind::gelu}},
    {"FastGelu", {ActivationKind::gelu_tanh}},
    {"QuickGelu", {ActivationKind::quick_gelu, 1.702f}},
    {"Silu", {ActivationKind::silu}},
    {"Swish", {ActivationKind::silu}},
    {"HardSwish", {ActivationKind::hard_swish}},
    {"Elu", {ActivationKind::elu, 1.0f}},
    {"Softplus", {ActivationKind::softplus}},
};

}  // namespace

std::optional<Activation> activation_of(std::string_view name, std::span<const float> parameters) {
    for (const Named& n : known)
        if (n.name == name) {
            Activation a = n.activation;
            if (!parameters.empty()) a.alpha = parameters[0];
            if (parameters.size() > 1) a.beta = parameters[1];
            return a;
        }
    return std::nullopt;
}

}  // namespace lapidary

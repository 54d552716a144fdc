// SPDX-License-Identifier: Apache-2.0
// Activations that products, convolutions and elementwise chains apply while a result is still in
// registers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lapidary {

enum class ActivationKind : std::uint8_t {
    none,
    relu,
    leaky_relu,  // x < 0 ? alpha x : x
    clip,        // min(max(x, alpha), beta)
    sigmoid,
    hard_sigmoid,  // max(0, min(1, alpha x + beta))
    tanh,
    gelu,        // x / 2 (1 + erf(x / sqrt 2))
    gelu_tanh,   // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
    quick_gelu,  // x sigmoid(alpha x)
    silu,        // x sigmoid(x)
    hard_swish,  // x max(0, min(1, x / 6 + 1 / 2))
    elu,         // x < 0 ? alpha (exp(x) - 1) : x
    softplus,    // log(1 + exp(x))
};

/// X(kind) for each kind but none: code that is compiled once per activation.
#define LAPIDARY_ACTIVATION_KINDS(X) \
    X(relu)                          \
    X(leaky_relu)                    \
    X(clip)                          \
    X(sigmoid)                       \
    X(hard_sigmoid)                  \
    X(tanh) X(gelu) X(gelu_tanh) X(quick_gelu) X(silu) X(hard_swish) X(elu) X(softplus)

struct Activation {
    ActivationKind kind = ActivationKind::none;
    float alpha = 0, beta = 0;
    explicit operator bool() const { return kind != ActivationKind::none; }
};

/// From the operator's name as fused operators carry it ("Relu", "LeakyRelu", "Clip",
/// "HardSigmoid", "Gelu", "FastGelu", "Silu" ...) and its parameters in ONNX Runtime's order;
/// missing ones get ONNX's defaults. Nothing for other names;
/// "" is none.
std::optional<Activation> activation_of(std::string_view name,
                                        std::span<const float> parameters = {});

}  // namespace lapidary

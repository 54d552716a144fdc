// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/recurrent/recurrent_activation.h"

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>

namespace lapidary::reference {
namespace {

struct Description {
    std::string_view name;  // lower case
    RecurrentActivation::Function function;
    bool has_alpha, has_beta;
    float alpha, beta;  // defaults: those of the ONNX operator of that name
};

using Function = RecurrentActivation::Function;
constexpr Description descriptions[] = {
    {"relu", Function::relu, false, false, 0, 0},
    {"tanh", Function::tanh, false, false, 0, 0},
    {"sigmoid", Function::sigmoid, false, false, 0, 0},
    {"affine", Function::affine, true, true, 1, 0},
    {"leakyrelu", Function::leaky_relu, true, false, 0.01f, 0},
    {"thresholdedrelu", Function::thresholded_relu, true, false, 1, 0},
    {"scaledtanh", Function::scaled_tanh, true, true, 1, 1},
    {"hardsigmoid", Function::hard_sigmoid, true, true, 0.2f, 0.5f},
    {"elu", Function::elu, true, false, 1, 0},
    {"softsign", Function::softsign, false, false, 0, 0},
    {"softplus", Function::softplus, false, false, 0, 0},
};

const Description& find_description(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const auto& d : descriptions)
        if (d.name == lower) return d;
    fail_model("attribute activations: " + quote(name) +
               " is no activation function of recurrent operators");
}

template <typename T, typename F>
void transform(T* values, std::int64_t count, F f) {
    for (std::int64_t i = 0; i < count; ++i) values[i] = f(values[i]);
}

template <typename T>
T sigmoid(T x) {
    if (x >= 0) return 1 / (1 + std::exp(-x));
    const T e = std::exp(x);
    return e / (1 + e);
}

}  // namespace

template <typename T>
void RecurrentActivation::apply(T* values, std::int64_t count, T clip) const {
    if (clip > 0)
        transform(values, count, [clip](T x) { return std::min(std::max(x, -clip), clip); });
    const T a = alpha, b = beta;
    switch (function) {
    case Function::relu: transform(values, count, [](T x) { return x > 0 ? x : T(0); }); break;
    case Function::tanh: transform(values, count, [](T x) { return std::tanh(x); }); break;
    case Function::sigmoid: transform(values, count, [](T x) { return sigmoid(x); }); break;
    case Function::affine: transform(values, count, [=](T x) { return a * x + b; }); break;
    case Function::leaky_relu:
        transform(values, count, [=](T x) { return x >= 0 ? x : a * x; });
        break;
    case Function::thresholded_relu:
        transform(values, count, [=](T x) { return x >= a ? x : T(0); });
        break;
    case Function::scaled_tanh:
        transform(values, count, [=](T x) { return a * std::tanh(b * x); });
        break;
    case Function::hard_sigmoid:
        transform(values, count, [=](T x) { return std::min(std::max(a * x + b, T(0)), T(1)); });
        break;
    case Function::elu:
        transform(values, count, [=](T x) { return x >= 0 ? x : a * std::expm1(x); });
        break;
    case Function::softsign:
        transform(values, count, [](T x) { return x / (1 + std::abs(x)); });
        break;
    case Function::softplus:
        transform(values, count, [](T x) {
            return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
        });
        break;
    }
}

std::vector<RecurrentActivation> read_activations(const Node& node,
                                                  const std::vector<std::string>& defaults,
                                                  std::size_t directions) {
    auto names = node.strings_attribute("activations");
    const std::size_t count = defaults.size() * directions;
    if (names.empty())
        for (std::size_t d = 0; d < directions; ++d)
            names.insert(names.end(), defaults.begin(), defaults.end());
    // A default of the schema may list both directions for a node with one.
    if (names.size() < count)
        fail_model("attribute activations: expected " + std::to_string(count) +
                   " functions, found " + std::to_string(names.size()));
    names.resize(count);
    const auto alphas = node.floats_attribute("activation_alpha"),
               betas = node.floats_attribute("activation_beta");
    std::size_t next_alpha = 0, next_beta = 0;
    std::vector<RecurrentActivation> result;
    for (const auto& name : names) {
        const Description& d = find_description(name);
        RecurrentActivation activation{d.function, d.alpha, d.beta};
        if (d.has_alpha && next_alpha < alphas.size()) activation.alpha = alphas[next_alpha++];
        if (d.has_beta && next_beta < betas.size()) activation.beta = betas[next_beta++];
        result.push_back(activation);
    }
    return result;
}

template void RecurrentActivation::apply<float>(float*, std::int64_t, float) const;
template void RecurrentActivation::apply<double>(double*, std::int64_t, double) const;

}  // namespace lapidary::reference

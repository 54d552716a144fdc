// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/products/channel_affine.h"

#include <algorithm>
#include <cmath>

#include "patterns/checks.h"

namespace lapidary {

ChannelAffine ChannelAffine::scaling(std::vector<double> by) {
    std::vector<double> shift(by.size(), 0.0);
    return {std::move(by), std::move(shift)};
}
ChannelAffine ChannelAffine::shifting(std::vector<double> by) {
    std::vector<double> scale(by.size(), 1.0);
    return {std::move(scale), std::move(by)};
}
bool ChannelAffine::scales() const {
    return std::ranges::any_of(scale, [](double v) { return v != 1; });
}
bool ChannelAffine::shifts() const {
    return std::ranges::any_of(shift, [](double v) { return v != 0; });
}
bool ChannelAffine::is_finite() const {
    const auto finite = [](double v) { return std::isfinite(v); };
    return std::ranges::all_of(scale, finite) && std::ranges::all_of(shift, finite);
}

std::optional<std::vector<double>> per_channel(const Tensor& constant, int rank, int axis,
                                               std::int64_t channels) {
    if (rank >= 0 && constant.rank() > rank) return std::nullopt;
    if (rank < 0 && constant.rank() > 1) return std::nullopt;
    if (rank < 0 && axis >= 0) return std::nullopt;
    if (axis < 0 && rank >= 0) axis += rank;
    // Position of the channel axis in the constant, which is aligned at the end.
    const int at = axis < 0 ? constant.rank() + axis : axis - (rank - constant.rank());
    for (int i = 0; i < constant.rank(); ++i) {
        const std::int64_t n = constant.dim(static_cast<std::size_t>(i));
        if (n != 1 && (i != at || n != channels)) return std::nullopt;
    }
    std::vector<double> values = to_doubles(constant);
    if (values.size() == 1) values.resize(static_cast<std::size_t>(channels), values[0]);
    return values;
}

ChannelAffine arithmetic_affine(std::string_view op_type, bool constant_first,
                                const std::vector<double>& constant) {
    std::vector<double> values = constant;
    if (op_type == "Mul") return ChannelAffine::scaling(std::move(values));
    if (op_type == "Div") {
        for (double& v : values) v = 1 / v;
        return ChannelAffine::scaling(std::move(values));
    }
    if (op_type == "Sub" && !constant_first)
        for (double& v : values) v = -v;
    ChannelAffine affine = ChannelAffine::shifting(std::move(values));
    if (op_type == "Sub" && constant_first) std::ranges::fill(affine.scale, -1.0);
    return affine;
}

pattern::Pattern batch_normalization(pattern::Pattern x) {
    using namespace pattern;
    const auto without_statistics = [](const Subject& s) {
        for (std::size_t i = 1; i < s.node->outputs.size(); ++i)
            if (s.node->outputs[i]) return false;
        return true;
    };
    return op("BatchNormalization", {std::move(x), constant("gamma"), constant("beta"),
                                     constant("mean"), constant("variance")})
        .named("norm")
        .versions(7)
        .require(int_attribute_is("training_mode", 0), "the BatchNormalization is in training mode")
        .require(int_attribute_is("spatial", 1),
                 "the BatchNormalization normalizes every element by itself (spatial = 0)")
        .require(without_statistics, "the BatchNormalization also computes statistics");
}

std::optional<ChannelAffine> batch_normalization_affine(const pattern::Match& match) {
    const std::vector<double> gamma = to_doubles(match.constant("gamma")),
                              beta = to_doubles(match.constant("beta"));
    const std::vector<double> mean = to_doubles(match.constant("mean")),
                              variance = to_doubles(match.constant("variance"));
    if (beta.size() != gamma.size() || mean.size() != gamma.size() ||
        variance.size() != gamma.size())
        return std::nullopt;
    const double epsilon = match.node("norm").float_attribute("epsilon", 1e-5f);
    ChannelAffine affine;
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        affine.scale.push_back(gamma[i] / std::sqrt(variance[i] + epsilon));
        affine.shift.push_back(beta[i] - mean[i] * affine.scale[i]);
    }
    if (!affine.is_finite()) return std::nullopt;
    return affine;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "ops/judge_channel_block.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "graph/traversal.h"
#include "ops/channel_block.h"

namespace lapidary {
namespace {

constexpr std::int64_t most_elements = std::int64_t{32} << 20;
constexpr double least_ratio = 1.25;  // of the spreads of the two readings
// Of chance, that the ratio has to exceed: fewer for the block of this CPU, whose files are the
// likelier ones here.
constexpr double deviations_here = 2, deviations_elsewhere = 4;
// of the larger spread against that of weights that are alike
constexpr double least_above_noise = 1.5;

/// Sum of squares of every output channel, as a reading in blocks of `block` has it. Weights [O, I,
/// H, W] stand as [O / block, ..., block]: whether inputs are in blocks too does not matter here.
std::vector<double> energies(std::span<const float> weights, std::int64_t channels,
                             std::int64_t block) {
    std::vector<double> sums(static_cast<std::size_t>(channels));
    const std::size_t lanes = static_cast<std::size_t>(block),
                      per_block = weights.size() / sums.size() * lanes;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double w = static_cast<double>(weights[i]);
        sums[i / per_block * lanes + i % lanes] += w * w;
    }
    return sums;
}

double spread_of_logarithms(const std::vector<double>& sums) {
    double mean = 0, squares = 0;
    for (const double sum : sums) mean += std::log(sum);
    mean /= static_cast<double>(sums.size());
    for (const double sum : sums) squares += (std::log(sum) - mean) * (std::log(sum) - mean);
    return squares / static_cast<double>(sums.size());
}

class Judge {
public:
    void look_at(const Tensor& w) {
        if (w.rank() != 4 || w.dtype() != DType::f32 || w.dim(0) % 16 != 0 || w.size() == 0) return;
        if ((elements_ += w.size()) > most_elements) return;
        const std::vector<double> by_8 = energies(w.data<float>(), w.dim(0), 8),
                                  by_16 = energies(w.data<float>(), w.dim(0), 16);
        const auto zeros_8 = std::ranges::count(by_8, 0.0),
                   zeros_16 = std::ranges::count(by_16, 0.0);
        if (zeros_8 > zeros_16) ++filled_[0];
        if (zeros_16 > zeros_8) ++filled_[1];
        if (zeros_8 > 0 || zeros_16 > 0) return;
        const auto channels = static_cast<double>(w.dim(0));
        spread_[0] += channels * spread_of_logarithms(by_8);
        spread_[1] += channels * spread_of_logarithms(by_16);
        noise_ += channels * 2 * channels / static_cast<double>(w.size());
        channels_ += channels;
    }

    BlockJudgement verdict() const {
        if ((filled_[0] > 0) != (filled_[1] > 0)) {
            const bool is_16 = filled_[1] > 0;
            return {is_16 ? 16 : 8, fmt::format("read so, {} of its convolutions have channels "
                                                "that fill up a block, read in blocks of "
                                                "{} none has more of them",
                                                filled_[is_16], is_16 ? 8 : 16)};
        }
        if (filled_[0] > 0 || channels_ == 0) return {};
        const bool is_16 = spread_[1] > spread_[0];
        const double larger = spread_[is_16], smaller = spread_[!is_16];
        const double deviations =
            (is_16 ? 16 : 8) == cpu_channel_block() ? deviations_here : deviations_elsewhere;
        const double wanted = std::max(least_ratio, 1 + deviations * std::sqrt(2 / channels_));
        if (larger < least_above_noise * noise_ || larger < wanted * smaller) return {};
        return {is_16 ? 16 : 8,
                fmt::format("the sizes of weights differ {:.1f} times as much between output "
                            "channels as read in "
                            "blocks of {}",
                            larger / std::max(smaller, 1e-12 * larger), is_16 ? 8 : 16)};
    }

private:
    std::int64_t elements_ = 0;
    int filled_[2] = {};  // convolutions with more channels of zeros in blocks of 8, of 16
    double spread_[2] = {}, noise_ = 0, channels_ = 0;  // weighted by channels
};

}  // namespace

BlockJudgement judge_channel_block(const Model& model) {
    Judge judge;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.domain != nchwc_domain || node.op_type != "Conv" || node.inputs.size() < 2)
                continue;
            const Value& weights = graph.value(node.inputs[1]);
            if (weights.constant) judge.look_at(*weights.constant);
        }
    });
    return judge.verdict();
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "ops/judge_channel_block.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "graph/traversal.h"
#include "ops/channel_block.h"
#include "tensor/channel_blocks.h"

namespace lapidary {
namespace {

constexpr std::int64_t most_elements = std::int64_t{32} << 20;
constexpr double least_ratio = 1.25;  // of the spreads of the two readings
// Standard deviations of chance that the ratio has to exceed; fewer for the block of this CPU,
// because files for it are more likely here.
constexpr double deviations_here = 2, deviations_elsewhere = 4;
constexpr double least_above_noise =
    1.5;  // of the larger spread against that of weights that are alike
// The correlation of neighbouring weights, in standard deviations of independent ones, and against
// the other reading.
constexpr double least_alike_here = 2.5, least_alike_elsewhere = 4.5, least_alike_ratio = 2;

/// A convolution's weights [O, I, H, W] read as blocks of `block`, and whether O and I are whole
/// blocks.
struct Reading {
    Reading(const Tensor& w, std::int64_t block)
        : block(block), blocks_inputs(w.dim(1) % block == 0),
          is_whole(w.dim(0) % block == 0 && (blocks_inputs || w.dim(1) < block)) {}

    std::int64_t block;
    bool blocks_inputs;
    bool is_whole;
};

/// The sum of squares of each output channel if the weights are read in blocks of `block`. Weights
/// [O, I, H, W] are then [O / block, ..., block]; whether inputs are in blocks too does not matter
/// here.
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

/// Sums over pairs of weights of one kernel that are neighbours in a row or a column.
struct Neighbours {
    double products = 0, pairs = 0;
};

/// A blocked weight has all taps of some kernels in turn, `side` numbers for each tap.
Neighbours neighbours(const Tensor& w, const Reading& reading) {
    const std::int64_t rows = w.dim(2), columns = w.dim(3);
    const std::int64_t side = reading.block * (reading.blocks_inputs ? reading.block : 1);
    Neighbours sums;
    const auto add = [&](const float* a, const float* b) {
        for (std::int64_t i = 0; i < side; ++i)
            sums.products += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        sums.pairs += static_cast<double>(side);
    };
    const float* const end = w.data<float>().data() + w.size();
    for (const float* kernel = w.data<float>().data(); kernel < end;
         kernel += rows * columns * side)
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < columns; ++x) {
                const float* tap = kernel + (y * columns + x) * side;
                if (x + 1 < columns) add(tap, tap + side);
                if (y + 1 < rows) add(tap, tap + columns * side);
            }
    return sums;
}

/// Whether the weights are the same in both readings.
bool is_same_either_way(const Tensor& w, const Reading& by_8, const Reading& by_16) {
    if (by_8.blocks_inputs != by_16.blocks_inputs) return false;
    const Tensor plain_8 = unblocked_weight(w, 8, by_8.blocks_inputs),
                 plain_16 = unblocked_weight(w, 16, by_16.blocks_inputs);
    return std::ranges::equal(plain_8.data<float>(), plain_16.data<float>());
}

class Judge {
public:
    void look_at(const Tensor* constant, bool is_grouped) {
        if (!constant || constant->rank() != 4 || constant->dtype() != DType::f32 ||
            constant->size() == 0 || (elements_ += constant->size()) > most_elements) {
            is_same_ = false;
            return;
        }
        const Tensor& w = *constant;
        const Reading reading_8(w, 8), reading_16(w, 16);
        const bool is_whole = reading_8.is_whole && reading_16.is_whole;
        is_same_ = is_same_ && is_whole && is_same_either_way(w, reading_8, reading_16);
        if (is_whole && !is_grouped) look_at_neighbours(w, reading_8, reading_16);
        if (w.dim(0) % 16 == 0) look_at_sizes(w);
    }

    /// Some value may lie in blocks where the graph does not say so: the block matters whatever the
    /// weights are.
    void expect_differences() { is_same_ = false; }

    BlockJudgement verdict() const {
        if (is_same_)
            return {cpu_channel_block(),
                    "every weight of its convolutions is the same for either block"};
        const BlockJudgement by_sizes = verdict_of_sizes();
        return by_sizes.block != 0 ? by_sizes : verdict_of_neighbours();
    }

private:
    void look_at_neighbours(const Tensor& w, const Reading& by_8, const Reading& by_16) {
        double squares = 0;
        for (const float value : w.data<float>())
            squares += static_cast<double>(value) * static_cast<double>(value);
        const Neighbours pairs_8 = neighbours(w, by_8), pairs_16 = neighbours(w, by_16);
        if (!(squares > 0) || pairs_8.pairs == 0) return;
        const double mean_square = squares / static_cast<double>(w.size());
        alike_[0] += pairs_8.products / mean_square;
        alike_[1] += pairs_16.products / mean_square;
        pairs_ += pairs_8.pairs;
    }

    void look_at_sizes(const Tensor& w) {
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

    BlockJudgement verdict_of_sizes() const {
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

    BlockJudgement verdict_of_neighbours() const {
        if (pairs_ == 0) return {};
        const bool is_16 = alike_[1] > alike_[0];
        const double deviation = std::sqrt(pairs_), larger = alike_[is_16] / deviation,
                     smaller = alike_[!is_16] / deviation;
        const double wanted =
            (is_16 ? 16 : 8) == cpu_channel_block() ? least_alike_here : least_alike_elsewhere;
        if (larger < wanted || larger < least_alike_ratio * smaller) return {};
        return {
            is_16 ? 16 : 8,
            fmt::format(
                "weights beside each other in a kernel are alike as read in blocks of {} "
                "(correlation "
                "{:.2g}, {:.1f} standard deviations of chance), in blocks of {} less ({:.2g})",
                is_16 ? 16 : 8, larger / deviation, larger, is_16 ? 8 : 16, smaller / deviation)};
    }

    std::int64_t elements_ = 0;
    bool is_same_ = true;
    int filled_[2] = {};  // convolutions with more channels of zeros in blocks of 8, of 16
    double spread_[2] = {}, noise_ = 0, channels_ = 0;  // weighted by channels
    double alike_[2] = {}, pairs_ = 0;  // products of neighbours, of weights of mean square 1
};

const Node* layout_producer(const Graph& graph, ValueId id) {
    if (!id || !graph.value(id).producer) return nullptr;
    const Node& node = graph.node(graph.value(id).producer);
    return node.domain == nchwc_domain ? &node : nullptr;
}

/// Whether an input is in blocks because another operator of the layout wrote it.
bool is_blocked(const Graph& graph, const Node& node, std::size_t input) {
    if (input >= node.inputs.size()) return false;
    const Node* before = layout_producer(graph, node.inputs[input]);
    return before && before->op_type != "ReorderOutput";
}

/// Whether an operator of the layout gets from others of it all that it reads in blocks, and no
/// other value.
bool reads_blocks_of_the_layout(const Graph& graph, const Node& node) {
    if (node.op_type == "ReorderInput") return !is_blocked(graph, node, 0);
    if (node.op_type != "Conv") return is_blocked(graph, node, 0);
    const auto& weights = graph.value(node.inputs[1]).constant;
    const bool is_grouped = node.int_attribute("group", 1) > 1;
    const bool wants_blocks =
        weights && weights->rank() == 4 && (weights->dim(1) >= 8 || is_grouped);
    const bool adds = node.inputs.size() > 3 && node.inputs[3];
    return is_blocked(graph, node, 0) == wants_blocks && (!adds || is_blocked(graph, node, 3));
}

/// Whether only operators of the layout read and write values in blocks, so that no other node sees
/// an order of channels that depends on the block size.
bool keeps_blocks_to_itself(const Graph& graph, const Node& node) {
    if (!reads_blocks_of_the_layout(graph, node)) return false;
    if (node.op_type == "ReorderOutput") return true;
    const auto is_layout = [&](const Use& use) {
        return graph.node(use.node).domain == nchwc_domain;
    };
    return std::ranges::all_of(node.outputs, [&](ValueId out) {
        if (!out) return true;
        const Value& value = graph.value(out);
        return value.output_uses == 0 && value.captured_by.empty() &&
               std::ranges::all_of(value.uses, is_layout);
    });
}

}  // namespace

BlockJudgement judge_channel_block(const Model& model) {
    Judge judge;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.domain != nchwc_domain) continue;
            const std::size_t least_inputs = node.op_type == "Conv" ? 2 : 1;
            if (node.inputs.size() < least_inputs || !node.inputs[least_inputs - 1]) {
                judge.expect_differences();
                continue;
            }
            if (node.op_type == "Conv") {
                const auto& weights = graph.value(node.inputs[1]).constant;
                judge.look_at(weights ? &*weights : nullptr, node.int_attribute("group", 1) > 1);
            }
            if (!keeps_blocks_to_itself(graph, node)) judge.expect_differences();
        }
    });
    return judge.verdict();
}

}  // namespace lapidary

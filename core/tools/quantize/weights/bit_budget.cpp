// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/bit_budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "base/threads/task_threads.h"
#include "quantize/inspect/constant_noise.h"
#include "quantize/weights/block_source.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

/// Smaller blocks in 4 bits, and larger ones in 8. Each is better than the one before it.
constexpr std::array<std::pair<int, std::int64_t>, 7> kinds{
    {{4, 256}, {4, 128}, {4, 64}, {4, 32}, {4, 16}, {8, 128}, {8, 32}}};
constexpr std::int64_t least_block = 16;
constexpr BlockKind reference_kind{4, 32};  // of what the outputs are measured with
constexpr double most_noise = 1e6;          // also where outputs are not finite

constexpr std::size_t judging_samples = 4;

/// With two decimals.
std::string bits_text(double bits) {
    const long hundredths = std::lround(bits * 100);
    const std::string digits = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + "." + (digits.size() < 2 ? "0" : "") + digits;
}

/// A constant and the nodes that read it.
struct Source {
    BlockSource source;
    std::vector<std::string> nodes;
    std::optional<int> bits;  // asked for by QuantizeOptions::weights_of
};

std::map<BlockedConstant, Source> sources_of(const Graph& graph, const QuantizeOptions& options) {
    std::map<BlockedConstant, Source> found;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (keeping_pattern(graph, node, options)) continue;
        std::string ignored;
        const auto source = block_source(graph, node, options, least_block, ignored);
        if (!source) continue;
        Source& one = found[{source->constant, source->axis}];
        one.source = *source;
        one.nodes.push_back(keep_name(graph, node));
        if (const auto type = own_weight_type(graph, node, options))
            one.bits = is_packed(*type) ? 4 : 8;
    }
    return found;
}

/// The kinds that fit the constant.
std::vector<BlockKind> kinds_of(const Graph& graph, const Source& source,
                                const QuantizeOptions& options) {
    const Shape& shape = graph.value(source.source.constant).constant->shape();
    const std::int64_t rows = shape[static_cast<std::size_t>(source.source.axis)];
    std::vector<BlockKind> found;
    for (const auto& [bits, block] : kinds) {
        const bool fits = source.source.product ? rows >= block : rows % block == 0;
        if (!fits || (source.bits && *source.bits != bits)) continue;
        found.push_back(
            {bits, block, options.symmetric_blocks, options.block_form == BlockForm::matmul_nbits});
    }
    return found;
}

double square_sum(const Tensor& matrix, std::span<const double> importance) {
    const std::int64_t rows = matrix.dim(0), columns = matrix.dim(1);
    const auto values = matrix.data<float>();
    double sum = 0;
    for (std::int64_t k = 0, at = 0; k < rows; ++k) {
        double row = 0;
        for (std::int64_t n = 0; n < columns; ++n, ++at)
            row += static_cast<double>(values[static_cast<std::size_t>(at)]) *
                   values[static_cast<std::size_t>(at)];
        sum += importance.empty() ? row : row * importance[static_cast<std::size_t>(k)];
    }
    return sum;
}

/// Finds the choices of one constant after the other.
class BitBudget {
public:
    BitBudget(const Model& model, const QuantizeOptions& options, const InputSquares& squares,
              const SampleSource* samples, const Progress& progress)
        : graph_(model.graph), options_(options), squares_(squares), progress_(progress),
          threads_(options.calibration.threads) {
        if (samples && samples->size() > 0)
            noise_.emplace(model, *samples, judging_samples, options.calibration.threads, progress);
    }

    bool is_measured() const { return noise_ && noise_->is_known(); }

    BitCandidate candidate(const Source& source) {
        const Tensor matrix = matrix_in_blocks(graph_, source.source);
        const auto known = squares_.find(source.source.constant);
        const std::span<const double> importance = source.source.product && known != squares_.end()
                                                       ? std::span(known->second)
                                                       : std::span<const double>();
        BitCandidate found;
        found.elements = static_cast<double>(matrix.size());
        for (const BlockKind& kind : kinds_of(graph_, source, options_))
            found.choices.push_back(
                {kind, stored_bits(matrix.dim(0), matrix.dim(1), kind),
                 block_error(matrix, blocks_of(matrix, kind, importance), kind, importance)});
        if (found.choices.empty()) return found;
        const double factor = factor_of(source, matrix, importance, found.choices.front());
        for (BitCandidate::Choice& choice : found.choices) choice.error *= factor;
        return found;
    }

private:
    /// Threads rest between two calls: the sessions that judge have their own.
    BlockWeight blocks_of(const Tensor& matrix, const BlockKind& kind,
                          std::span<const double> importance) {
        BlockWeight blocks;
        threads_.execute(
            [&] { blocks = fitted_blocks(matrix, kind, importance, threads_, progress_.cancel); });
        return blocks;
    }

    /// What an error of the constant costs the outputs, by its unit.
    double factor_of(const Source& source, const Tensor& matrix, std::span<const double> importance,
                     const BitCandidate::Choice& coarsest) {
        if (!is_measured()) {
            const double power = square_sum(matrix, importance);
            return power > 0 ? 1 / power : 0;
        }
        BlockKind kind = coarsest.kind;
        kind.bits = reference_kind.bits;
        kind.block = std::min(kind.block, reference_kind.block);
        const BlockWeight blocks = blocks_of(matrix, kind, importance);
        const Tensor rounded = dequantized_blocks(blocks, matrix.dim(0), kind.bits, kind.block);
        const double own = block_error(matrix, blocks, kind, importance);
        if (!(own > 0)) return 0;
        const double noise = noise_->of(graph_.value(source.source.constant).name,
                                        source.source.axis == 0 ? rounded : swapped_axes(rounded));
        return std::min(noise, most_noise) / own;
    }

    const Graph& graph_;
    const QuantizeOptions& options_;
    const InputSquares& squares_;
    const Progress& progress_;
    TaskThreads threads_;
    std::optional<ConstantNoise> noise_;  // nothing: there are no samples
};

}  // namespace

double stored_bits(std::int64_t rows, std::int64_t columns, const BlockKind& kind) {
    const std::int64_t blocks = (rows + kind.block - 1) / kind.block;
    const std::int64_t zero_bytes = kind.symmetric ? 0 : (blocks * kind.bits + 7) / 8;
    constexpr std::int64_t scale_bits = 32;
    return static_cast<double>(columns *
                               (blocks * (kind.block * kind.bits + scale_bits) + 8 * zero_bytes));
}

std::vector<std::size_t> choose_within(const std::vector<BitCandidate>& candidates,
                                       double bits_per_element) {
    std::vector<std::size_t> chosen(candidates.size(), 0);
    double elements = 0, bits = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto& choices = candidates[i].choices;
        for (std::size_t k = 1; k < choices.size(); ++k)
            if (choices[k].bits < choices[chosen[i]].bits) chosen[i] = k;
        elements += candidates[i].elements;
        bits += choices.at(chosen[i]).bits;
    }
    const double budget = bits_per_element * elements;
    if (bits > budget)
        fail_input("weights take " + bits_text(std::ceil(100 * bits / elements) / 100) +
                   " bits at least, scales and zero points included, which is above the budget "
                   "of " +
                   bits_text(bits_per_element));
    for (;;) {
        double steepest = 0;
        std::optional<std::pair<std::size_t, std::size_t>> next;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const BitCandidate::Choice& now = candidates[i].choices[chosen[i]];
            for (std::size_t k = 0; k < candidates[i].choices.size(); ++k) {
                const BitCandidate::Choice& other = candidates[i].choices[k];
                const double more = other.bits - now.bits, less = now.error - other.error;
                if (!(more > 0) || !(less > 0) || bits + more > budget) continue;
                if (less / more <= steepest) continue;
                steepest = less / more;
                next = {i, k};
            }
        }
        if (!next) return chosen;
        bits += candidates[next->first].choices[next->second].bits -
                candidates[next->first].choices[chosen[next->first]].bits;
        chosen[next->first] = next->second;
    }
}

std::map<BlockedConstant, BlockKind> allocate_bits(
    const Model& model, const QuantizeOptions& options, const InputSquares& squares,
    const SampleSource* samples, std::vector<std::string>& notes, const Progress& progress) {
    const std::map<BlockedConstant, Source> sources = sources_of(model.graph, options);
    BitBudget budget(model, options, squares, samples, progress);
    std::vector<BitCandidate> candidates;
    std::vector<BlockedConstant> constants;
    for (const auto& [constant, source] : sources) {
        progress.step(source.nodes.front(),
                      static_cast<double>(candidates.size()) / static_cast<double>(sources.size()));
        BitCandidate candidate = budget.candidate(source);
        if (candidate.choices.empty()) continue;
        candidates.push_back(std::move(candidate));
        constants.push_back(constant);
    }
    std::map<BlockedConstant, BlockKind> found;
    if (candidates.empty()) return found;
    const std::vector<std::size_t> chosen = choose_within(candidates, options.bits_per_weight);
    double bits = 0, elements = 0;
    std::size_t wide = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const BitCandidate::Choice& choice = candidates[i].choices[chosen[i]];
        found[constants[i]] = choice.kind;
        bits += choice.bits;
        elements += candidates[i].elements;
        wide += choice.kind.bits == 8;
    }
    notes.push_back("weights take " + bits_text(bits / elements) +
                    " bits on average, scales and zero points included: " + std::to_string(wide) +
                    " of " + count_text(static_cast<std::int64_t>(found.size()), "weight") +
                    " have 8 bits, the others 4, by " +
                    (budget.is_measured() ? "what each costs the outputs on samples"
                                          : "their own errors, since no sample was run"));
    return found;
}

}  // namespace lapidary

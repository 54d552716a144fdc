// SPDX-License-Identifier: Apache-2.0
// Bits and blocks of each weight, so that all together keep within a budget.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/weights/fitted_blocks.h"

namespace lapidary {

/// The constant, and its axis along which blocks lie.
using BlockedConstant = std::pair<ValueId, std::int64_t>;

/// What is known of the inputs of weights: see collect_input_squares().
using InputSquares = std::map<ValueId, std::vector<double>>;

/// Bits that a matrix [K, N] in blocks takes: integers, float32 scales and zero points, as
/// MatMulNBits stores them.
double stored_bits(std::int64_t rows, std::int64_t columns, const BlockKind& kind);

/// One weight, and what it may become.
struct BitCandidate {
    struct Choice {
        BlockKind kind;
        double bits = 0;   // that all of it takes
        double error = 0;  // of the model's outputs; only compared and added up
    };
    double elements = 0;
    std::vector<Choice> choices;
};

/// Of each candidate the choice, by its index, so that the sum of bits is at most `budget` and the
/// sum of errors small: from the smallest choices on, the step that lowers the error most for its
/// bits is taken as long as it fits. Throws invalid_input where even the smallest do not fit.
std::vector<std::size_t> choose_within(const std::vector<BitCandidate>& candidates,
                                       double bits_per_element);

/// Bits and blocks of every constant that mode weights stores in blocks, within
/// QuantizeOptions::bits_per_weight. The error of a choice is what the outputs of the model move
/// when this constant alone is stored in 4 bits, run on some of the samples, times how much more or
/// less the choice's own error is. Without samples each weight counts by its relative error. Throws
/// invalid_input where the budget is too small, cancelled.
std::map<BlockedConstant, BlockKind> allocate_bits(
    const Model& model, const QuantizeOptions& options, const InputSquares& squares,
    const SampleSource* samples, std::vector<std::string>& notes, const Progress& progress);

}  // namespace lapidary

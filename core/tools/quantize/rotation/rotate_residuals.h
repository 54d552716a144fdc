// SPDX-License-Identifier: Apache-2.0
// Residual streams in another base, in which no channel stands out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/graph.h>

namespace lapidary {

/// Multiplies rows by random signs and then by the orthonormal Hadamard matrix of the largest power
/// of two that divides their length, block by block. The product is an orthonormal matrix.
class HadamardRotation {
public:
    /// The same signs for the same seed everywhere.
    HadamardRotation(std::size_t length, std::uint64_t seed);
    std::size_t block() const { return block_; }
    /// `row`: `length` elements.
    void apply(std::vector<double>& row) const;

private:
    std::size_t block_ = 1;
    std::vector<double> signs_;
};

/// Rotates the residual streams of decoders (QuaRot: Ashkboos et al. 2024, arXiv 2404.00456), whose
/// few large channels cost all others their accuracy when weights are rounded. Gains of
/// normalizations go into the weights behind them first. Weights on both sides take the rotation
/// up, so that the model computes the same function, but for rounding. Notes say how many streams
/// were rotated, and why others were not. Returns the number. Throws cancelled.
std::size_t rotate_residuals(Graph& graph, std::uint64_t seed, std::vector<std::string>& notes,
                             const Progress& progress);

}  // namespace lapidary

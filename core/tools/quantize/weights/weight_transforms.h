// SPDX-License-Identifier: Apache-2.0
// Changes of float weights that make what comes after them lose less: same function, other spread.
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// Cross-layer equalization (Nagel et al. 2019, arXiv 1906.04721): of a convolution or product
/// followed by another, at most Relu, LeakyRelu or pooling between, each channel is divided by s on
/// the way out and multiplied by s on the way in, so that both weights have the same range there.
/// Returns the pairs equalized. Throws cancelled.
std::size_t equalize_layers(Graph& graph, std::vector<std::string>& notes,
                            const Progress& progress);

/// SmoothQuant (Xiao et al. 2022, arXiv 2211.10438): inputs of MatMul, Gemm and, in mode dynamic,
/// LSTM are divided by s = peak of the input channel ^ share / peak of the weight row ^ (1 -
/// share), the weights multiplied. The division goes into the LayerNormalization or Mul that gives
/// the input, else it is a Mul of its own. Channels that are 0 nearly always stay. The share is
/// QuantizeOptions::smoothing, or with smoothing_by_input that which SmoothingError is least for,
/// judged on rows of samples that did not give it, and none where it is not sure to gain anything,
/// or gains less than a fifth and takes a Mul, or where there is but one sample. Returns the inputs
/// smoothed. Throws cancelled.
std::size_t smooth_products(Model& model, const Calibration& seen, const QuantizeOptions& options,
                            const SampleSource& samples, std::vector<std::string>& notes,
                            const Progress& progress);

/// Rounds weights of convolutions and products to the grid of 8 bits one after the other, and moves
/// each error onto the weights of the same channel that are still to come, by the second moments of
/// the input (Frantar et al. 2022, arXiv 2210.17323). The largest element of each scale stays, so
/// that quantizing the result reproduces it. Throws cancelled.
void compensate_rounding(Model& model, const QuantizeOptions& options, const SampleSource& samples,
                         std::vector<std::string>& notes, const Progress& progress);

}  // namespace lapidary

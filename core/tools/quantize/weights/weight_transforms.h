// SPDX-License-Identifier: Apache-2.0
// Changes to float weights that lower the loss of quantization. The model computes the same
// function.
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// Cross-layer equalization (Nagel et al. 2019, arXiv 1906.04721). Where a convolution or product
/// is followed by another, with at most Relu, LeakyRelu or pooling between them, the outputs of the
/// first are divided by s per channel and the inputs of the second multiplied by s, so that both
/// weights have the same range. Returns the number of equalized pairs. Throws cancelled.
std::size_t equalize_layers(Graph& graph, std::vector<std::string>& notes,
                            const Progress& progress);

/// SmoothQuant (Xiao et al. 2022, arXiv 2211.10438). Inputs of MatMul, Gemm and, in mode dynamic,
/// LSTM are divided by s = peak of the input channel ^ share / peak of the weight row ^ (1 -
/// share), and the weights multiplied. The division is merged into the normalization or Mul
/// that makes the input, else it becomes a new Mul. Channels that are nearly always 0 do not
/// change.
/// The share is QuantizeOptions::smoothing, or with smoothing_by_input the one with the least
/// SmoothingError on rows of samples that did not determine it. Then an input is not smoothed if
/// the gain is uncertain, if it is less than a fifth and costs a new Mul, or if there is only one
/// sample.
/// In mode weights with smoothing_by_input only the weights' error counts (AWQ: Lin et al. 2023,
/// arXiv 2306.00978): s = root of the input's mean square ^ share, with the share of the least
/// ScalingError. The division may then also be merged into the weight of a product in front.
/// Returns the number of smoothed inputs. Throws cancelled.
std::size_t smooth_products(Model& model, const Calibration& seen, const QuantizeOptions& options,
                            const SampleSource& samples, std::vector<std::string>& notes,
                            const Progress& progress);

/// Rounds the weights of convolutions and products to the 8-bit grid one after the other. Each
/// error is compensated by the weights of the same channel that follow, based on the second moments
/// of the input (Frantar et al. 2022, arXiv 2210.17323). The largest element of each scale does not
/// change, so that quantizing the result gives the same integers. Throws cancelled.
void compensate_rounding(Model& model, const QuantizeOptions& options, const SampleSource& samples,
                         std::vector<std::string>& notes, const Progress& progress);

}  // namespace lapidary

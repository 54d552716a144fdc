// SPDX-License-Identifier: Apache-2.0
// Quantizes so that a run that was stopped is taken up again: with compensated rounding, models of
// billions of weights take hours.
#pragma once

#include <filesystem>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// "llm.int4.onnx.lapidary-partial", beside the file that the model will be written to.
std::filesystem::path kept_weights_folder(const std::filesystem::path& model);

/// True if resume_quantization() keeps weights: in mode weights, in blocks with compensated
/// rounding.
bool keeps_weights(const QuantizeOptions& options);

/// As quantize_model(), with the same result. Where keeps_weights(), each weight is kept in
/// `folder` once it is done, with its checksum. Those that are there already are taken, if weight,
/// samples and options are the same to the last bit; a note says how many. Samples are run again in
/// any case. Where anything else has the folder's name, it stays, nothing is kept, and a note says
/// so. With other options the folder is not used.
QuantizeResult resume_quantization(const Model& model, const QuantizeOptions& options,
                                   const SampleSource* samples, const std::filesystem::path& folder,
                                   const Progress& progress = {});

/// Removes what resume_quantization() kept, once the model is written, and the folder unless other
/// files are in it. Leaves all that it did not make, also where that has the folder's name. Throws
/// nothing: what the system refuses to remove stays.
void remove_kept_weights(const std::filesystem::path& folder);

}  // namespace lapidary

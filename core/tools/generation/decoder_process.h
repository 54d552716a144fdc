// SPDX-License-Identifier: Apache-2.0
// Decoders in processes of other programs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/generation/measure_decoding.h>

namespace lapidary {

/// As start_decoder() of measure_decoding.h. `other`: a file of another form that the engine reads
/// in place of the model; empty: none.
std::unique_ptr<DecodingEngine> start_decoder(const std::vector<std::string>& command,
                                              const DecodingSetup& setup,
                                              const std::filesystem::path& other,
                                              const CancelToken& cancel);

}  // namespace lapidary

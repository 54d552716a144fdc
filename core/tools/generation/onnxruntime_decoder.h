// SPDX-License-Identifier: Apache-2.0
// A decoder in ONNX Runtime, by what was read of the model elsewhere: the process that measures it
// need not read the model itself.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <lapidary/generation/measure_decoding.h>

#include "generation/decoder_model.h"

namespace lapidary {

/// What has to be known to run a decoder.
struct PeerDecoder {
    DecoderModel model;
    bool is_fixed = false;       // its caches are memory of the capacity
    std::string growing_reason;  // why they grow; empty: they do not, or were asked to
    /// the mask is as long as fixed caches; else as there are tokens, which GroupQueryAttention
    /// counts by it
    bool mask_has_capacity = false;
    std::int64_t vocabulary = 0;  // logits of a token; 0: not known
};

/// Throws not_supported where the model is no decoder.
PeerDecoder peer_decoder(const Model& model, CacheStorage storage);

/// Throws not_supported with ONNX Runtime's own message, or why caches cannot be fixed where that
/// was asked for.
std::unique_ptr<DecodingEngine> open_peer_decoder(const DecodingSetup& setup,
                                                  const std::filesystem::path& place,
                                                  PeerDecoder peer);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// A decoder in this process, which times its runs.
#pragma once

#include <optional>
#include <span>

#include <lapidary/base/counted_memory.h>
#include <lapidary/generation/measure_decoding.h>

namespace lapidary {

class TimedDecoder : public DecodingEngine {
public:
    DecodedTokens begin(std::span<const std::int64_t> prompt) final;
    DecodedTokens go_on(std::span<const std::int64_t> tokens) final;
    DecoderState state() final;

protected:
    virtual void forget() = 0;
    /// Runs tokens behind those before. The logits behind the last, valid until the next call.
    virtual std::span<const float> feed(std::span<const std::int64_t> tokens) = 0;
    virtual std::uint64_t cache_bytes() const = 0;
    /// What loading gave; state() adds what is so now.
    DecoderState loaded_;

private:
    void run(std::span<const std::int64_t> tokens, DecodedTokens& decoded);
};

/// Memory of this process alone, where the system counts it.
std::optional<std::uint64_t> own_bytes();

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "generation/timed_decoder.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/process/process_load.h"

namespace lapidary {

std::optional<std::uint64_t> own_bytes() {
    const auto counted = counted_memory();
    return counted ? std::optional(counted->own) : std::nullopt;
}

void TimedDecoder::run(std::span<const std::int64_t> tokens, DecodedTokens& decoded) {
    const auto start = std::chrono::steady_clock::now();
    const std::span<const float> logits = feed(tokens);
    const auto largest = std::ranges::max_element(logits);
    const auto end = std::chrono::steady_clock::now();
    decoded.ms.push_back(std::chrono::duration<double, std::milli>(end - start).count());
    decoded.choices.push_back(largest - logits.begin());
    decoded.logits.push_back(largest == logits.end() ? 0 : static_cast<double>(*largest));
}

DecodedTokens TimedDecoder::begin(std::span<const std::int64_t> prompt) {
    forget();
    DecodedTokens decoded;
    const double waited = process_load().waited_ms;
    run(prompt, decoded);
    decoded.waited_ms = process_load().waited_ms - waited;
    wait_for_rest();
    return decoded;
}

DecodedTokens TimedDecoder::go_on(std::span<const std::int64_t> tokens) {
    DecodedTokens decoded;
    const double waited = process_load().waited_ms;
    for (std::size_t i = 0; i < tokens.size(); ++i) run(tokens.subspan(i, 1), decoded);
    decoded.waited_ms = process_load().waited_ms - waited;
    wait_for_rest();
    return decoded;
}

DecoderState TimedDecoder::state() {
    DecoderState state = loaded_;
    state.cache_bytes = cache_bytes();
    state.now_bytes = own_bytes();
    const double peak = peak_memory_mb();
    if (!std::isnan(peak)) state.peak_mb = peak;
    return state;
}

}  // namespace lapidary

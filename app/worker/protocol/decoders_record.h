// SPDX-License-Identifier: Apache-2.0
// Decoders side by side: how fast each talks, what memory it holds, and how well it predicts a
// text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/generation/decoding_advice.h>

namespace lapidary::app {

/// One decoder at one context, as measure_decoding() measures it.
struct DecoderPoint {
    std::int64_t context = 0;  // tokens of the prompt
    double first_ms = 0;       // to the first token, of a program that has just loaded it
    double prompt_tokens_per_second = 0;
    double token_ms = 0, token_low_ms = 0, token_high_ms = 0;  // a token behind the prompt
    /// that memory allows: its bandwidth by the bytes of weights and caches that a token reads
    double roof_tokens_per_second = 0;
    std::uint64_t activation_bytes = 0;  // of the plan (PlanInfo::arena_bytes)
    RecordedToken recorded;              // where a token's time goes; context 0: not known

    double tokens_per_second() const { return token_ms > 0 ? 1000 / token_ms : 0; }
};

/// What a text showed, against the first decoder.
struct DecoderQuality {
    std::int64_t tokens = 0;  // that were predicted
    double perplexity = 0, perplexity_error = 0;
    // of all but the first decoder; negative: it is the first
    double divergence = -1, divergence_error = 0;  // kl_divergence(), the mean, in nats
    double most_divergence = -1;                   // of 99 % of the tokens at most
    std::int64_t changed = -1;                     // tokens whose most probable successor differs
};

/// A variant, with one kind of caches and one number of threads.
struct DecoderSide {
    std::size_t model = 0;                  // of DecodersJob::models
    bool half_caches = false;               // kept in float16
    int threads = 1;                        // that it ran on
    std::string error;                      // why it was not measured; empty: it was
    std::uint64_t weight_bytes = 0;         // as stored
    std::uint64_t cache_bytes = 0;          // of all caches, behind the longest context
    std::vector<DecoderPoint> points;       // by context
    std::optional<DecoderQuality> quality;  // nothing: there is no text

    /// The point at a context; null: it was not measured there.
    const DecoderPoint* at(std::int64_t context) const;
};

struct DecodersRecord {
    std::vector<std::int64_t> contexts;  // that were measured: the model may have fewer positions
    std::int64_t capacity = 0;           // tokens that caches of fixed size have room for
    std::int64_t text_tokens = 0;        // of the text that were taken; 0: there is none
    std::vector<DecoderSide> sides;      // those that are finished, and the one at work
    bool complete = false;               // false: it runs still, or was cancelled
};

}  // namespace lapidary::app

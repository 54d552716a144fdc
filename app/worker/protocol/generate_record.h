// SPDX-License-Identifier: Apache-2.0
// What came of generating tokens with one variant, or with two of them on the same tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/generation/generator.h>

namespace lapidary::app {

/// A token whose run was recorded, and the memory that was held behind it.
struct TokenSample {
    std::int64_t context = 0;  // tokens of prompt and answer that the run attended to
    TokenTime time;
    std::uint64_t cache_bytes = 0;
    std::uint64_t activation_bytes = 0;  // of the plan (PlanInfo::arena_bytes)
};

/// One variant.
struct GeneratedSide {
    std::vector<std::int64_t> tokens;  // that it chose, or would have chosen
    double load_ms = 0;                // to compile its session
    double first_ms = 0;               // from the prompt to the first token
    std::vector<double> token_ms;      // of each token after that
    std::vector<TokenSample> samples;  // in the order of their context
    std::uint64_t weight_bytes = 0;    // as stored
    std::uint64_t cache_bytes = 0;     // now
    std::size_t cache_count = 0;       // 0: every run is given all tokens again
    CacheStorage storage = CacheStorage::growing;
    std::string storage_reason;  // why its caches grow, as a phrase; empty: they need not
    std::string head_type;       // of the head's weight, "f32"; empty: not known
};

struct GenerateRecord {
    std::vector<std::int64_t> prompt;
    std::vector<std::int64_t> stop_tokens;  // that end it: those asked for, or found
    /// The text that each token of the first side adds, where there is a tokenizer; empty while a
    /// character is not complete.
    std::vector<std::string> pieces;
    std::int64_t capacity = 0;  // tokens that caches of fixed size have room for
    int threads = 1;
    /// The first chose the tokens; the second was given these too (teacher forcing).
    std::vector<GeneratedSide> sides;
    /// kl_divergence() of the second's logits from those of the first, by token; not finite: left
    /// out of means.
    std::vector<double> divergence;
    bool complete = false;  // false: it runs still, or was cancelled

    /// Tokens for which the second would have chosen another.
    std::int64_t changed_tokens() const;
};

/// The median; 0 of none.
double median_of(std::vector<double> values);

}  // namespace lapidary::app

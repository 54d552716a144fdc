// SPDX-License-Identifier: Apache-2.0
// What stands out in the time of a decoder's token, and what to do about it.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/generation/generator.h>
#include <lapidary/generation/token_time.h>
#include <lapidary/tensor/dtype.h>

namespace lapidary {

/// The first of these that holds.
enum class DecodingFinding : std::uint8_t {
    none,       // no token was recorded
    head,       // a quarter or more of the time is the head's, whose weight is float32
    caches,     // 15 % or more copies caches that grow
    overhead,   // 30 % or more passes between the nodes
    attention,  // 40 % or more is attention
    products,   // 40 % or more are products with weights, and the head's weight is float32
    nothing     // no part stands out
};

/// One token that was recorded.
struct RecordedToken {
    std::int64_t context = 0;  // tokens that it attended to; 0: none was recorded
    TokenTime time;            // by what it went into
    std::string head_type;     // of the head's weight, "f32"; empty: not known
    CacheStorage storage = CacheStorage::growing;  // of the caches
};

/// What stands out in the time of a token.
struct DecodingAdvice {
    DecodingFinding finding = DecodingFinding::none;  // the part that stands out
    double share = 0;          // of the token's time that the part takes, 0..1; of `nothing` 0
    std::int64_t context = 0;  // RecordedToken::context

    /// Fewer bits a weight would help.
    bool is_to_quantize() const {
        return finding == DecodingFinding::head || finding == DecodingFinding::products;
    }
};

/// Judges one token; `none` where none was recorded.
DecodingAdvice decoding_advice(const RecordedToken& token);
/// "The head is 58 % of a token and float: quantize it." Empty where no token was recorded.
std::string sentence_of(const DecodingAdvice& advice);

}  // namespace lapidary

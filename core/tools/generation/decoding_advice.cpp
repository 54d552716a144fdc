// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/decoding_advice.h>

#include <lapidary/base/quantity_text.h>

namespace lapidary {
namespace {

// Shares of a token's time from which on a part is worth a sentence.
constexpr double head_worth = 0.25, cache_worth = 0.15, overhead_worth = 0.3, attention_worth = 0.4,
                 products_worth = 0.4;

}  // namespace

DecodingAdvice decoding_advice(const RecordedToken& token) {
    const TokenTime& time = token.time;
    if (token.context <= 0 || time.wall_ms <= 0) return {};
    // quantize() takes weights of this type alone.
    const bool is_quantizable = token.head_type == name_of(DType::f32);
    const auto found = [&](DecodingFinding finding, double ms) {
        return DecodingAdvice{finding, ms / time.wall_ms, token.context};
    };
    const auto is_at_least = [&](double ms, double share) { return ms >= share * time.wall_ms; };
    if (is_quantizable && is_at_least(time.head_ms, head_worth))
        return found(DecodingFinding::head, time.head_ms);
    if (token.storage == CacheStorage::growing && is_at_least(time.cache_ms, cache_worth))
        return found(DecodingFinding::caches, time.cache_ms);
    if (is_at_least(time.overhead_ms, overhead_worth))
        return found(DecodingFinding::overhead, time.overhead_ms);
    if (is_at_least(time.attention_ms, attention_worth))
        return found(DecodingFinding::attention, time.attention_ms);
    if (is_quantizable && is_at_least(time.products_ms, products_worth))
        return found(DecodingFinding::products, time.products_ms);
    return found(DecodingFinding::nothing, 0);
}

std::string sentence_of(const DecodingAdvice& advice) {
    const std::string share = percent_text(advice.share);
    switch (advice.finding) {
    case DecodingFinding::none: return {};
    case DecodingFinding::head:
        return "The head is " + share + " of a token and float: quantize it.";
    case DecodingFinding::caches:
        return "Copying caches is " + share +
               " of a token: operators that append to caches of fixed size "
               "(GroupQueryAttention) spare it.";
    case DecodingFinding::overhead:
        return share +
               " of a token passes between the nodes, which compute little each. Levels below all "
               "leave more of them.";
    case DecodingFinding::attention:
        return "Attention is " + share + " of a token at " + std::to_string(advice.context) +
               " tokens of context, and grows with it.";
    case DecodingFinding::products:
        return "Products with weights are " + share +
               " of a token: fewer bits a weight make them faster.";
    case DecodingFinding::nothing: break;
    }
    return "No part of a token stands out.";
}

}  // namespace lapidary

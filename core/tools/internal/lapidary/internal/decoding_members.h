// SPDX-License-Identifier: Apache-2.0
// What is measured of decoders, described member by member (members.h).
#pragma once

#include <lapidary/generation/measure_decoding.h>
#include <lapidary/internal/measurement_members.h>

namespace lapidary {

template <>
struct EnumNames<CacheStorage> {
    static constexpr std::array<std::pair<CacheStorage, std::string_view>, 3> all{
        {{CacheStorage::automatic, "auto"},
         {CacheStorage::fixed, "fixed"},
         {CacheStorage::growing, "growing"}}};
};
template <>
struct Members<TokenTime> {
    using T = TokenTime;
    static constexpr auto list =
        members<T>(member<&T::wall_ms>("wall_ms"), member<&T::attention_ms>("attention_ms"),
                   member<&T::products_ms>("products_ms"), member<&T::head_ms>("head_ms"),
                   member<&T::cache_ms>("cache_ms"), member<&T::rest_ms>("rest_ms"),
                   member<&T::overhead_ms>("overhead_ms"));
};
template <>
struct Members<RecordedToken> {
    using T = RecordedToken;
    static constexpr auto list =
        members<T>(member<&T::context>("context"), inlined<&T::time>(),
                   member<&T::head_type>("head_type"), member<&T::storage>("caches"));
};
template <>
struct Members<DecodingFigures> {
    using T = DecodingFigures;
    static constexpr auto list = members<T>(
        member<&T::load_ms>("load_ms"), member<&T::first_token_ms>("first_token_ms"),
        member<&T::prefill_ms>("prefill_ms"),
        member<&T::prefill_tokens_per_second>("prefill_tokens_per_second"),
        member<&T::token_ms>("token_ms"),
        member<&T::decode_tokens_per_second>("decode_tokens_per_second"),
        member<&T::first_pass_ms>("first_pass_ms"), member<&T::curve_ms>("curve_ms"),
        member<&T::dropped>("dropped"), member<&T::is_fixed>("fixed_caches"),
        member<&T::reason>("growing_reason"), member<&T::cache_bytes>("cache_bytes"),
        member<&T::loaded_bytes>("loaded_bytes"), member<&T::activation_bytes>("activation_bytes"),
        member<&T::peak_mb>("peak_mb"), member<&T::gb_per_s>("gb_per_s"),
        member<&T::share_of_roof>("share_of_roof"), member<&T::recorded>("recorded"));
};
template <>
struct Members<DecodingAgreement> {
    using T = DecodingAgreement;
    static constexpr auto list =
        members<T>(member<&T::choices>("choices"), member<&T::equal>("equal"),
                   member<&T::difference>("difference"), member<&T::matches>("matches"));
};
template <>
struct Members<DecodingMeasurement> {
    using T = DecodingMeasurement;
    static constexpr auto list =
        members<T>(member<&T::context>("context"), member<&T::new_tokens>("new_tokens"),
                   member<&T::passes>("passes"), member<&T::weight_bytes>("weight_bytes"),
                   member<&T::token_weight_bytes>("token_weight_bytes"),
                   member<&T::token_cache_bytes>("token_cache_bytes"),
                   member<&T::roof_gb_per_s>("roof_gb_per_s"), member<&T::ours>("ours"),
                   member<&T::theirs>("theirs"), member<&T::ratio>("ratio"),
                   member<&T::prefill_ratio>("prefill_ratio"), member<&T::agreement>("agreement"),
                   member<&T::quiet>("quiet"));
};

}  // namespace lapidary

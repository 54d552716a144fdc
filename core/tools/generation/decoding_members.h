// SPDX-License-Identifier: Apache-2.0
// What is measured of decoders, and what goes between processes for that, described member by
// member (members.h).
#pragma once

#include <lapidary/internal/decoding_members.h>

#include "generation/onnxruntime_decoder.h"

namespace lapidary {

template <>
struct EnumNames<DecoderInput> {
    static constexpr std::array<std::pair<DecoderInput, std::string_view>, 8> all{
        {{DecoderInput::ids, "ids"},
         {DecoderInput::mask, "mask"},
         {DecoderInput::positions, "positions"},
         {DecoderInput::row_positions, "row_positions"},
         {DecoderInput::last_rows, "last_rows"},
         {DecoderInput::total_rows, "total_rows"},
         {DecoderInput::past_rows, "past_rows"},
         {DecoderInput::has_past, "has_past"}}};
};
/// An input as it goes between processes: types as ONNX numbers them.
struct DecoderPortForm {
    std::string name;
    DecoderInput kind = DecoderInput::ids;
    int dtype = 0;
    std::size_t rank = 0;
};
template <>
struct Members<DecoderPortForm> {
    using T = DecoderPortForm;
    static constexpr auto list = members<T>(member<&T::name>("name"), member<&T::kind>("kind"),
                                            member<&T::dtype>("dtype"), member<&T::rank>("rank"));
};
template <>
struct StoredAs<DecoderPort> {
    using Form = DecoderPortForm;
    static Form form_of(const DecoderPort& port) {
        return {port.name, port.kind, static_cast<int>(port.dtype), port.rank};
    }
    static DecoderPort value_of(const Form& form) {
        return {form.name, form.kind, static_cast<DType>(form.dtype), form.rank};
    }
};

/// A cache in the same way.
struct DecoderCacheForm {
    std::string input, output;
    int dtype = 0;
    std::vector<std::int64_t> shape;
    std::size_t axis = 0;
};
template <>
struct Members<DecoderCacheForm> {
    using T = DecoderCacheForm;
    static constexpr auto list = members<T>(
        member<&T::input>("input"), member<&T::output>("output"), member<&T::dtype>("dtype"),
        member<&T::shape>("shape"), member<&T::axis>("axis"));
};
template <>
struct StoredAs<DecoderCache> {
    using Form = DecoderCacheForm;
    static Form form_of(const DecoderCache& cache) {
        return {cache.input,
                cache.output,
                static_cast<int>(cache.dtype),
                {cache.shape.begin(), cache.shape.end()},
                cache.axis};
    }
    static DecoderCache value_of(const Form& form) {
        return {form.input,
                form.output,
                static_cast<DType>(form.dtype),
                {form.shape.begin(), form.shape.end()},
                form.axis};
    }
};
template <>
struct Members<DecoderModel> {
    using T = DecoderModel;
    static constexpr auto list = members<T>(
        member<&T::inputs>("inputs"), member<&T::caches>("caches"), member<&T::logits>("logits"));
};
template <>
struct Members<PeerDecoder> {
    using T = PeerDecoder;
    static constexpr auto list = members<T>(
        member<&T::model>("model"), member<&T::is_fixed>("is_fixed"),
        member<&T::growing_reason>("growing_reason"),
        member<&T::mask_has_capacity>("mask_has_capacity"), member<&T::vocabulary>("vocabulary"));
};
template <>
struct Members<DecodingSetup> {
    using T = DecodingSetup;
    static constexpr auto list =
        members<T>(member<&T::model>("model"), member<&T::level>("level"), inlined<&T::resources>(),
                   member<&T::session_passes>("session_passes"), member<&T::storage>("caches"),
                   member<&T::capacity>("capacity"));
};
template <>
struct Members<DecodedTokens> {
    using T = DecodedTokens;
    static constexpr auto list =
        members<T>(member<&T::ms>("ms"), member<&T::choices>("choices"),
                   member<&T::logits>("logits"), member<&T::waited_ms>("waited_ms"));
};
template <>
struct Members<DecoderState> {
    using T = DecoderState;
    static constexpr auto list = members<T>(
        member<&T::load_ms>("load_ms"), member<&T::storage>("caches"), member<&T::reason>("reason"),
        member<&T::cache_bytes>("cache_bytes"), member<&T::before_bytes>("before_bytes"),
        member<&T::loaded_bytes>("loaded_bytes"), member<&T::now_bytes>("now_bytes"),
        member<&T::peak_mb>("peak_mb"));
};

}  // namespace lapidary

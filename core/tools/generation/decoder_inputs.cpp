// SPDX-License-Identifier: Apache-2.0
#include "generation/decoder_inputs.h"

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

/// A tensor of a type with element i being at(i).
template <typename At>
Tensor filled(DType dtype, Shape shape, const At& at) {
    Tensor tensor(dtype, std::move(shape));
    const auto fill = [&]<typename T>(std::span<T> to) {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<T>(at(static_cast<std::int64_t>(i)));
    };
    switch (dtype) {
    case DType::i64: fill(tensor.mutable_data<std::int64_t>()); break;
    case DType::i32: fill(tensor.mutable_data<std::int32_t>()); break;
    case DType::f32: fill(tensor.mutable_data<float>()); break;
    case DType::boolean: fill(tensor.mutable_data<bool>()); break;
    default: fail_unsupported("inputs of type " + std::string(name_of(dtype)) + " of decoders");
    }
    return tensor;
}

Shape number_shape(const DecoderPort& port, std::int64_t sequences) {
    if (port.kind == DecoderInput::last_rows)
        return port.rank == 2 ? Shape{sequences, 1} : Shape{sequences};
    return port.rank == 0 ? Shape{} : Shape{1};
}

}  // namespace

Tensor decoder_input(const DecoderPort& port, const TokenPlace& place, const std::int64_t* ids) {
    const auto constant = [&](std::int64_t value) {
        return filled(port.dtype, number_shape(port, place.sequences),
                      [&](std::int64_t) { return value; });
    };
    const Shape tokens{place.sequences, place.count};
    const std::int64_t total = place.before + place.count;
    switch (port.kind) {
    case DecoderInput::ids:
        return filled(port.dtype, tokens, [&](std::int64_t i) { return ids[i]; });
    case DecoderInput::mask:
        return filled(port.dtype, {place.sequences, place.mask_rows},
                      [&](std::int64_t i) { return std::int64_t{i % place.mask_rows < total}; });
    case DecoderInput::positions:
        return filled(port.dtype, tokens,
                      [&](std::int64_t i) { return place.before + i % place.count; });
    case DecoderInput::row_positions:
        return filled(port.dtype, {place.count}, [&](std::int64_t i) { return place.before + i; });
    case DecoderInput::last_rows: return constant(total - 1);
    case DecoderInput::total_rows: return constant(total);
    case DecoderInput::past_rows: return constant(place.before);
    case DecoderInput::has_past: return constant(place.before > 0);
    }
    return {};
}

}  // namespace lapidary

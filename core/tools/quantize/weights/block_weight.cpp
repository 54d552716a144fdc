// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/block_weight.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

struct BlockParameters {
    float scale = 0;
    int zero_point = 0;
};

BlockParameters parameters_of(float low, float high, int bits, bool symmetric) {
    const int highest = (1 << bits) - 1, middle = 1 << (bits - 1);
    if (symmetric) {
        const float largest = std::abs(high) > std::abs(low) ? high : low;
        return {largest / static_cast<float>(-middle), middle};
    }
    low = std::min(low, 0.0f);
    high = std::max(high, 0.0f);
    const float scale = (high - low) / static_cast<float>(highest);
    const float zero_point = scale != 0 ? 0.0f - low / scale : low;
    return {scale, static_cast<int>(
                       std::round(std::clamp(zero_point, 0.0f, static_cast<float>(highest))))};
}

}  // namespace

void put_level(std::span<std::uint8_t> bytes, std::size_t index, int bits, int value) {
    if (bits == 8) bytes[index] = static_cast<std::uint8_t>(value);
    else
        bytes[index / 2] =
            static_cast<std::uint8_t>(index % 2 == 0 ? (bytes[index / 2] & 0xf0) | value
                                                     : (bytes[index / 2] & 0x0f) | value << 4);
}

int level_at(std::span<const std::uint8_t> bytes, std::size_t index, int bits) {
    if (bits == 8) return bytes[index];
    return index % 2 == 0 ? bytes[index / 2] & 15 : bytes[index / 2] >> 4;
}

BlockWeight empty_blocks(const Tensor& weight, int bits, std::int64_t block) {
    if (weight.dtype() != DType::f32 || weight.rank() != 2)
        fail_input("weights are quantized in blocks as f32 [K, N], not of shape " +
                   to_string(weight.shape()));
    if (bits != 4 && bits != 8)
        fail_input("weights in blocks have 4 or 8 bits, not " + std::to_string(bits));
    if (block < 16 || block > 256 || !std::has_single_bit(static_cast<std::uint64_t>(block)))
        fail_input("a block is a power of two from 16 to 256 rows, not " + std::to_string(block));
    const std::int64_t columns = weight.dim(1), blocks = (weight.dim(0) + block - 1) / block;
    BlockWeight out{Tensor(DType::u8, {columns, blocks, block * bits / 8}),
                    Tensor(DType::f32, {columns, blocks}),
                    Tensor(DType::u8, {columns, (blocks * bits + 7) / 8})};
    std::ranges::fill(out.values.mutable_data<std::uint8_t>(), std::uint8_t{0});
    std::ranges::fill(out.scales.mutable_data<float>(), 0.0f);
    std::ranges::fill(out.zero_points.mutable_data<std::uint8_t>(), std::uint8_t{0});
    return out;
}

BlockWeight quantize_blocks(const Tensor& weight, int bits, std::int64_t block, bool symmetric,
                            const CancelToken& cancel) {
    BlockWeight out = empty_blocks(weight, bits, block);
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1), blocks = out.values.dim(1);
    const std::int64_t block_bytes = out.values.dim(2), zero_bytes = out.zero_points.dim(1);
    const auto from = weight.data<float>();
    const auto values = out.values.mutable_data<std::uint8_t>(),
               zeros = out.zero_points.mutable_data<std::uint8_t>();
    for (std::int64_t n = 0; n < columns; ++n)
        for (std::int64_t b = 0; b < blocks; ++b) {
            cancel.throw_if_cancelled();
            const std::int64_t begin = b * block, end = std::min(rows, begin + block);
            const auto element = [&](std::int64_t k) {
                return from[static_cast<std::size_t>(k * columns + n)];
            };
            float low = element(begin), high = low;
            for (std::int64_t k = begin; k < end; ++k) {
                if (!std::isfinite(element(k)))
                    fail_input("a weight that is not finite cannot be quantized");
                low = std::min(low, element(k));
                high = std::max(high, element(k));
            }
            const BlockParameters found = parameters_of(low, high, bits, symmetric);
            const float reciprocal = found.scale != 0 ? 1 / found.scale : 0;
            out.scales.mutable_data<float>()[static_cast<std::size_t>(n * blocks + b)] =
                found.scale;
            put_level(zeros.subspan(static_cast<std::size_t>(n * zero_bytes)),
                      static_cast<std::size_t>(b), bits, found.zero_point);
            const auto to = values.subspan(static_cast<std::size_t>((n * blocks + b) * block_bytes),
                                           static_cast<std::size_t>(block_bytes));
            for (std::int64_t k = begin; k < begin + block; ++k) {
                const float level =
                    k < end
                        ? std::round(element(k) * reciprocal + static_cast<float>(found.zero_point))
                        : static_cast<float>(found.zero_point);
                put_level(
                    to, static_cast<std::size_t>(k - begin), bits,
                    static_cast<int>(std::clamp(level, 0.0f, static_cast<float>((1 << bits) - 1))));
            }
        }
    if (symmetric) out.zero_points = {};
    return out;
}

Tensor dequantized_blocks(const BlockWeight& weight, std::int64_t rows, int bits,
                          std::int64_t block) {
    const std::int64_t columns = weight.values.dim(0), blocks = weight.values.dim(1),
                       zero_bytes = (blocks * bits + 7) / 8;
    Tensor out(DType::f32, {rows, columns});
    for (std::int64_t n = 0; n < columns; ++n)
        for (std::int64_t k = 0; k < rows; ++k) {
            const std::int64_t b = k / block;
            const auto values = weight.values.data<std::uint8_t>().subspan(
                static_cast<std::size_t>((n * blocks + b) * (block * bits / 8)));
            int zero = 1 << (bits - 1);
            if (weight.zero_points)
                zero = level_at(weight.zero_points.data<std::uint8_t>().subspan(
                                    static_cast<std::size_t>(n * zero_bytes)),
                                static_cast<std::size_t>(b), bits);
            const float scale =
                weight.scales.data<float>()[static_cast<std::size_t>(n * blocks + b)];
            out.mutable_data<float>()[static_cast<std::size_t>(k * columns + n)] =
                static_cast<float>(level_at(values, static_cast<std::size_t>(k % block), bits) -
                                   zero) *
                scale;
        }
    return out;
}

}  // namespace lapidary

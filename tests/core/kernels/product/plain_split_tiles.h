// SPDX-License-Identifier: Apache-2.0
// The steps of split_tiles.h in plain code, which runs on any CPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/vector/product/split_tiles.h"

namespace lapidary::test::plain_split {

inline float float_of(std::uint16_t half) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}

/// Puts the parts of a number where `place(part)` says; gives how many there are.
template <typename Place>
int put_parts(float value, std::uint16_t* to, const Place& place) {
    int parts = 1;
    for (int part = 0; part < split_tiles::parts; ++part) {
        std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
        if (part + 1 < split_tiles::parts) bits += 0x8000;  // the third one is exact
        to[place(part)] = static_cast<std::uint16_t>(bits >> 16);
        value -= std::bit_cast<float>(bits & 0xffff0000u);
        if (to[place(part)] != 0) parts = part + 1;
    }
    return parts;
}

inline std::uint32_t magnitude(float value) {
    return std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
}

/// What is seen in lines of numbers: rows of the left side, columns of the right one.
class Seen {
public:
    void add(float value, int parts) {
        of_line_ = std::max(of_line_, magnitude(value));
        range.parts = std::max(range.parts, parts);
    }
    void end_line() {
        range.largest = std::max(range.largest, of_line_);
        if (of_line_ != 0) range.least = std::min(range.least, of_line_);
        of_line_ = 0;
    }
    SplitRange range;

private:
    std::uint32_t of_line_ = 0;
};

inline SplitRange split_rows(const SplitRows& r) {
    std::fill_n(r.to, split_tiles::left_elements(r.rows, r.inner), std::uint16_t{0});
    Seen seen;
    for (std::int64_t i = 0; i < r.rows; ++i) {
        for (std::int64_t k = 0; k < r.inner; ++k) {
            const float value = r.from[i * r.row_step + k / 16 * r.block_step + k % 16];
            seen.add(value, put_parts(value, r.to, [&](int part) {
                         return split_tiles::left_place(r.rows, i, k, part);
                     }));
        }
        seen.end_line();
    }
    return seen.range;
}

inline SplitRange split_columns(const SplitColumns& c) {
    const std::int64_t padded = split_tiles::steps(c.inner) * split_tiles::step;
    Seen seen;
    for (std::int64_t j = 0; j < c.columns; ++j) {
        for (std::int64_t k = 0; k < padded; ++k) {
            const float value = k < c.inner ? c.from[k * c.stride + j] : 0.0f;
            seen.add(value, put_parts(value, c.to, [&](int part) {
                         return split_tiles::right_place(c.inner, k, c.first + j, part);
                     }));
        }
        seen.end_line();
    }
    return seen.range;
}

/// The sum of steps [first, last) of one element.
inline float sum_of(const SplitTile& t, int i, std::int64_t j, std::int64_t first,
                    std::int64_t last) {
    float sum = 0;
    for (int left = t.left_parts - 1; left >= 0; --left)
        for (int right = std::min(t.right_parts, split_tiles::parts - left) - 1; right >= 0;
             --right)
            for (std::int64_t k = first * split_tiles::step; k < last * split_tiles::step; ++k)
                sum += float_of(t.left[split_tiles::left_place(t.rows, i, k, left)]) *
                       float_of(t.right[split_tiles::right_place(t.right_steps * split_tiles::step,
                                                                 k, j, right)]);
    return sum;
}

inline void multiply(const SplitTile& t) {
    for (int i = 0; i < t.rows; ++i)
        for (std::int64_t j = 0; j < t.columns; ++j) {
            float sum = 0;
            if (!t.factors) sum = sum_of(t, i, j, 0, t.steps);
            for (std::int64_t s = 0; t.factors && s < t.steps; s += t.factor_steps)
                sum += sum_of(t, i, j, s, std::min(s + t.factor_steps, t.steps)) *
                       t.factors[s / t.factor_steps * split_tiles::most_columns + j];
            const std::int64_t column = j / 16 * t.c_block + j % 16;
            float value = sum * t.scale + (t.bias ? t.bias[j] : 0);
            if (t.row_bias) value += t.row_bias[i];
            if (t.initial) value += t.initial[i * t.initial_stride + column];
            t.c[i * t.c_stride + column] = value;
        }
}

inline constexpr SplitTileKernels kernels{&split_rows, &split_columns, &multiply, nullptr};

}  // namespace lapidary::test::plain_split

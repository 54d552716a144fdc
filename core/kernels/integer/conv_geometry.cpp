// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/conv_geometry.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

/// Output positions one after the other.
struct Cursor {
    const ConvGeometry& g;
    std::int64_t image, at[3];

    Cursor(const ConvGeometry& geometry, std::int64_t row) : g(geometry) {
        image = row / g.outputs();
        std::int64_t rest = row % g.outputs();
        for (std::size_t i = 3; i-- > 0;) {
            at[i] = rest % g.axis[i].output;
            rest /= g.axis[i].output;
        }
    }
    std::int64_t origin(std::size_t i) const { return at[i] * g.axis[i].stride - g.axis[i].pad_begin; }
    bool is_inside(std::size_t i) const { return origin(i) >= 0 && origin(i) + g.axis[i].extent() <= g.axis[i].input; }
    void advance() {
        for (std::size_t i = 3; i-- > 0;) {
            if (++at[i] < g.axis[i].output) return;
            at[i] = 0;
        }
        ++image;
    }
};

}  // namespace

bool ConvGeometry::is_pointwise() const {
    return std::ranges::all_of(axis, [](const WindowAxis& a) { return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.pad_end == 0; });
}

void ConvGeometry::tap_offsets(std::int64_t* offsets) const {
    for (std::int64_t d = 0; d < axis[0].kernel; ++d)
        for (std::int64_t h = 0; h < axis[1].kernel; ++h)
            for (std::int64_t w = 0; w < axis[2].kernel; ++w)
                *offsets++ = ((d * axis[0].dilation * axis[1].input + h * axis[1].dilation) * axis[2].input + w * axis[2].dilation) * channels * element_bytes;
}

void ConvGeometry::find(const std::byte* x, std::int64_t channel, const std::int64_t* offsets, const std::byte* outside, std::int64_t begin, std::int64_t end,
                        const void** places) const {
    const std::int64_t count = taps(), pixel = channels * element_bytes;
    Cursor at(*this, begin);
    for (std::int64_t row = begin; row < end; ++row, at.advance(), places += count) {
        const std::byte* image = x + at.image * inputs() * pixel + channel * element_bytes;
        const std::int64_t first[3] = {at.origin(0), at.origin(1), at.origin(2)};
        if (at.is_inside(0) && at.is_inside(1) && at.is_inside(2)) {
            const std::byte* base = image + ((first[0] * axis[1].input + first[1]) * axis[2].input + first[2]) * pixel;
            for (std::int64_t t = 0; t < count; ++t) places[t] = base + offsets[t];
            continue;
        }
        const void** to = places;
        for (std::int64_t d = 0, z = first[0]; d < axis[0].kernel; ++d, z += axis[0].dilation)
            for (std::int64_t h = 0, y = first[1]; h < axis[1].kernel; ++h, y += axis[1].dilation) {
                const bool is_row = z >= 0 && z < axis[0].input && y >= 0 && y < axis[1].input;
                for (std::int64_t w = 0, v = first[2]; w < axis[2].kernel; ++w, v += axis[2].dilation)
                    *to++ = is_row && v >= 0 && v < axis[2].input ? image + ((z * axis[1].input + y) * axis[2].input + v) * pixel : outside;
            }
    }
}

void ConvGeometry::gather(const std::byte* x, const std::byte* x_end, std::int64_t channel, std::int64_t inner, const std::byte* outside, std::int64_t begin,
                          std::int64_t end, std::int64_t row_bytes, std::byte* rows) const {
    const std::int64_t pixel = channels * element_bytes, tap_bytes = inner * element_bytes, used = taps() * tap_bytes;
    const WindowAxis& last = axis[2];
    const bool has_runs = inner == channels && last.dilation == 1;
    const std::int64_t run = last.kernel * tap_bytes;
    Cursor at(*this, begin);
    for (std::int64_t row = begin; row < end; ++row, at.advance(), rows += row_bytes) {
        const std::byte* image = x + at.image * inputs() * pixel + channel * element_bytes;
        std::byte* to = rows;
        const bool is_run = has_runs && at.is_inside(2);
        for (std::int64_t d = 0, z = at.origin(0); d < axis[0].kernel; ++d, z += axis[0].dilation)
            for (std::int64_t h = 0, y = at.origin(1); h < axis[1].kernel; ++h, y += axis[1].dilation) {
                const bool is_row = z >= 0 && z < axis[0].input && y >= 0 && y < axis[1].input;
                const std::byte* line = image + (z * axis[1].input + y) * last.input * pixel;
                if (is_row && is_run) {
                    const std::byte* from = line + at.origin(2) * pixel;
                    // What is copied too much is written over by what comes next.
                    if (run <= 32 && x_end - from >= 32) std::memcpy(to, from, 32);
                    else std::memcpy(to, from, static_cast<std::size_t>(run));
                    to += run;
                    continue;
                }
                for (std::int64_t w = 0, v = at.origin(2); w < last.kernel; ++w, v += last.dilation, to += tap_bytes)
                    std::memcpy(to, is_row && v >= 0 && v < last.input ? line + v * pixel : outside, static_cast<std::size_t>(tap_bytes));
            }
        std::memset(rows + used, 0, static_cast<std::size_t>(row_bytes - used));
    }
}

}  // namespace lapidary

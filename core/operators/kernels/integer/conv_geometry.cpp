// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/conv_geometry.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

/// Outputs [begin, end) as stretches of one line each.
template <typename Body>
void for_each_line(const ConvGeometry& g, std::int64_t begin, std::int64_t end, const Body& body) {
    const std::int64_t length = g.axis[2].output;
    while (begin < end) {
        const std::int64_t line = begin / length, first = begin % length,
                           last = std::min(length, first + end - begin);
        const std::int64_t y = line % g.axis[1].output, rest = line / g.axis[1].output;
        body(rest / g.axis[0].output, rest % g.axis[0].output, y, first, last);
        begin += last - first;
    }
}

/// Outputs of the last axis whose taps are all inside: [first, last).
struct Interior {
    std::int64_t first, last;
    explicit Interior(const WindowAxis& a) {
        first = (a.pad_begin + a.stride - 1) / a.stride;
        const std::int64_t room = a.input + a.pad_begin - a.extent();
        last = room < 0 ? first : std::max(first, room / a.stride + 1);
    }
};

/// The lines of an image that the taps of one line of outputs read; (z0, y0): the first of them.
struct TapLines {
    const ConvGeometry& g;
    const std::byte* image;
    std::int64_t z0, y0, pixel;  // bytes of a pixel

    bool are_inside() const {
        return z0 >= 0 && z0 + g.axis[0].extent() <= g.axis[0].input && y0 >= 0 &&
               y0 + g.axis[1].extent() <= g.axis[1].input;
    }
    /// Null: outside of the image.
    const std::byte* at(std::int64_t d, std::int64_t h) const {
        const std::int64_t z = z0 + d * g.axis[0].dilation, y = y0 + h * g.axis[1].dilation;
        return z >= 0 && z < g.axis[0].input && y >= 0 && y < g.axis[1].input
                   ? image + (z * g.axis[1].input + y) * g.axis[2].input * pixel
                   : nullptr;
    }
};

/// places[i * count + t] = base + i * step + offsets[t]
template <int fixed>
void fill_places(const std::byte* base, std::int64_t step, std::int64_t rows,
                 const std::int64_t* offsets, std::int64_t count, const void** places) {
    const std::int64_t n = fixed ? fixed : count;
    for (std::int64_t r = 0; r < rows; ++r, base += step, places += n) {
#pragma GCC unroll 9
        for (std::int64_t t = 0; t < n; ++t) places[t] = base + offsets[t];
    }
}

}  // namespace

bool ConvGeometry::is_pointwise() const {
    return std::ranges::all_of(axis, [](const WindowAxis& a) {
        return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.pad_end == 0;
    });
}

void ConvGeometry::tap_offsets(std::int64_t* offsets) const {
    for (std::int64_t d = 0; d < axis[0].kernel; ++d)
        for (std::int64_t h = 0; h < axis[1].kernel; ++h)
            for (std::int64_t w = 0; w < axis[2].kernel; ++w)
                *offsets++ =
                    ((d * axis[0].dilation * axis[1].input + h * axis[1].dilation) * axis[2].input +
                     w * axis[2].dilation) *
                    channels * element_bytes;
}

void ConvGeometry::find(const std::byte* x, std::int64_t channel, const std::int64_t* offsets,
                        const std::byte* outside, std::int64_t begin, std::int64_t end,
                        const void** places, std::int32_t* runs) const {
    const std::int64_t count = taps(), pixel = channels * element_bytes,
                       step = axis[2].stride * pixel;
    const Interior interior(axis[2]);
    if (runs) std::fill_n(runs, end - begin, 1);
    for_each_line(
        *this, begin, end,
        [&](std::int64_t image_index, std::int64_t out_z, std::int64_t out_y, std::int64_t first,
            std::int64_t last) {
            const std::byte* image = x + image_index * inputs() * pixel + channel * element_bytes;
            const std::int64_t z0 = out_z * axis[0].stride - axis[0].pad_begin,
                               y0 = out_y * axis[1].stride - axis[1].pad_begin;
            const TapLines lines{*this, image, z0, y0, pixel};
            const bool is_inside = lines.are_inside();
            const std::int64_t from = is_inside ? std::clamp(interior.first, first, last) : last,
                               to = is_inside ? std::clamp(interior.last, from, last) : last;
            const auto border = [&](std::int64_t position) {
                for (std::int64_t d = 0; d < axis[0].kernel; ++d)
                    for (std::int64_t h = 0; h < axis[1].kernel; ++h) {
                        const std::byte* line = lines.at(d, h);
                        std::int64_t w = position * axis[2].stride - axis[2].pad_begin;
                        for (std::int64_t k = 0; k < axis[2].kernel; ++k, w += axis[2].dilation)
                            *places++ =
                                line && w >= 0 && w < axis[2].input ? line + w * pixel : outside;
                    }
            };
            for (std::int64_t i = first; i < from; ++i) border(i);
            const std::byte* base = image + ((z0 * axis[1].input + y0) * axis[2].input +
                                             from * axis[2].stride - axis[2].pad_begin) *
                                                pixel;
            const std::int64_t filled = runs ? std::min<std::int64_t>(1, to - from) : to - from;
            if (filled == 1 && runs) runs[from - first] = static_cast<std::int32_t>(to - from);
            if (count == 9) fill_places<9>(base, step, filled, offsets, count, places);
            else if (count == 1) fill_places<1>(base, step, filled, offsets, count, places);
            else fill_places<0>(base, step, filled, offsets, count, places);
            places += (to - from) * count;
            for (std::int64_t i = to; i < last; ++i) border(i);
            if (runs) runs += last - first;
        });
}

namespace {

constexpr std::int64_t most_lines = PaddedImage::most_lines, copy_block = 32;

/// All taps of one output, one by one.
void copy_taps(const TapLines& lines, std::int64_t position, const std::byte* outside,
               std::int64_t tap_bytes, std::byte* to) {
    const auto& axis = lines.g.axis;
    for (std::int64_t d = 0; d < axis[0].kernel; ++d)
        for (std::int64_t h = 0; h < axis[1].kernel; ++h) {
            const std::byte* line = lines.at(d, h);
            std::int64_t w = position * axis[2].stride - axis[2].pad_begin;
            for (std::int64_t k = 0; k < axis[2].kernel;
                 ++k, w += axis[2].dilation, to += tap_bytes)
                std::memcpy(to,
                            line && w >= 0 && w < axis[2].input ? line + w * lines.pixel : outside,
                            static_cast<std::size_t>(tap_bytes));
        }
}

/// Outputs [from, to) of a line whose taps lie inside along the last axis, where those of one line
/// are one run of bytes; at most most_lines of them.
void copy_runs(const TapLines& lines, std::int64_t from, std::int64_t to, const std::byte* x_end,
               const std::byte* outside, std::int64_t tap_bytes, std::int64_t row_bytes,
               std::byte* rows) {
    const auto& axis = lines.g.axis;
    const std::int64_t count = axis[0].kernel * axis[1].kernel, run = axis[2].kernel * tap_bytes,
                       step = axis[2].stride * lines.pixel, used = count * run;
    const std::byte* starts[most_lines];
    std::int64_t steps[most_lines];
    bool is_short = run <= copy_block;
    const std::int64_t shift = (from * axis[2].stride - axis[2].pad_begin) * lines.pixel;
    for (std::int64_t j = 0; j < count; ++j) {
        const std::byte* line = lines.at(j / axis[1].kernel, j % axis[1].kernel);
        starts[j] = line ? line + shift : nullptr;
        steps[j] = line ? step : 0;
        // Bytes that are copied beyond the end are overwritten by the next copy, but they must be
        // readable.
        if (line)
            is_short = is_short && x_end - (line + shift + (to - 1 - from) * step) >= copy_block;
    }
    for (std::int64_t i = from; i < to; ++i, rows += row_bytes) {
        std::byte* target = rows;
        for (std::int64_t j = 0; j < count; ++j, target += run) {
            if (!starts[j])
                for (std::int64_t k = 0; k < axis[2].kernel; ++k)
                    std::memcpy(target + k * tap_bytes, outside,
                                static_cast<std::size_t>(tap_bytes));
            else if (is_short) std::memcpy(target, starts[j], copy_block);
            else std::memcpy(target, starts[j], static_cast<std::size_t>(run));
            starts[j] += steps[j];
        }
        for (std::byte* p = rows + used; p < rows + row_bytes; ++p) *p = std::byte{0};
    }
}

}  // namespace

void ConvGeometry::gather(const std::byte* x, const std::byte* x_end, std::int64_t channel,
                          std::int64_t inner, const std::byte* outside, std::int64_t begin,
                          std::int64_t end, std::int64_t row_bytes, std::byte* rows) const {
    const std::int64_t pixel = channels * element_bytes, tap_bytes = inner * element_bytes,
                       used = taps() * tap_bytes;
    const bool has_runs =
        inner == channels && axis[2].dilation == 1 && axis[0].kernel * axis[1].kernel <= most_lines;
    const Interior interior(axis[2]);
    for_each_line(
        *this, begin, end,
        [&](std::int64_t image_index, std::int64_t out_z, std::int64_t out_y, std::int64_t first,
            std::int64_t last) {
            const TapLines lines{*this,
                                 x + image_index * inputs() * pixel + channel * element_bytes,
                                 out_z * axis[0].stride - axis[0].pad_begin,
                                 out_y * axis[1].stride - axis[1].pad_begin, pixel};
            const auto border = [&](std::int64_t position) {
                copy_taps(lines, position, outside, tap_bytes, rows);
                std::memset(rows + used, 0, static_cast<std::size_t>(row_bytes - used));
                rows += row_bytes;
            };
            const std::int64_t from = has_runs ? std::clamp(interior.first, first, last) : last,
                               to = has_runs ? std::clamp(interior.last, from, last) : last;
            for (std::int64_t i = first; i < from; ++i) border(i);
            if (from < to) copy_runs(lines, from, to, x_end, outside, tap_bytes, row_bytes, rows);
            rows += (to - from) * row_bytes;
            for (std::int64_t i = to; i < last; ++i) border(i);
        });
}

namespace {

void fill_elements(std::byte* to, std::int64_t count, std::int32_t value,
                   std::int64_t element_bytes) {
    if (element_bytes == 1) std::memset(to, value, static_cast<std::size_t>(count));
    else std::fill_n(reinterpret_cast<std::int16_t*>(to), count, static_cast<std::int16_t>(value));
}

}  // namespace

PaddedImage::PaddedImage(const ConvGeometry& g) : g_(g), pixel_(g.channels * g.element_bytes) {
    for (std::size_t i = 0; i < size_.size(); ++i)
        size_[i] = g.axis[i].output > 0
                       ? (g.axis[i].output - 1) * g.axis[i].stride + g.axis[i].extent()
                       : 0;
    line_ = size_[2] * pixel_;
}

std::size_t PaddedImage::bytes() const {
    constexpr std::int64_t beyond = 64;
    return static_cast<std::size_t>(g_.images * size_[0] * size_[1] * line_ + beyond);
}

void PaddedImage::fill(const std::byte* x, bool is_signed, std::int32_t x_zero,
                       const ByteProductKernels& kernels, ThreadPool& threads,
                       std::byte* to) const {
    const std::int64_t lines = g_.images * size_[0] * size_[1],
                       grain = (1 << 15) / std::max<std::int64_t>(1, line_) + 1;
    const WindowAxis& w = g_.axis[2];
    const std::int64_t left = std::min(w.pad_begin, size_[2]),
                       there = std::min(w.input, size_[2] - left), right = size_[2] - left - there;
    std::memset(to + lines * line_, 0, bytes() - static_cast<std::size_t>(lines * line_));
    threads.parallel_for(lines, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t z = i / size_[1] % size_[0] - g_.axis[0].pad_begin,
                               y = i % size_[1] - g_.axis[1].pad_begin,
                               image = i / size_[1] / size_[0];
            std::byte* line = to + i * line_;
            if (z < 0 || z >= g_.axis[0].input || y < 0 || y >= g_.axis[1].input) {
                fill_elements(line, size_[2] * g_.channels, x_zero, g_.element_bytes);
                continue;
            }
            const std::byte* from =
                x + ((image * g_.axis[0].input + z) * g_.axis[1].input + y) * w.input * g_.channels;
            fill_elements(line, left * g_.channels, x_zero, g_.element_bytes);
            kernels.prepare(from, 1, there * g_.channels, 0, is_signed, line + left * pixel_,
                            there * g_.channels);
            fill_elements(line + (left + there) * pixel_, right * g_.channels, x_zero,
                          g_.element_bytes);
        }
    });
}

void PaddedImage::find(const std::byte* image, std::int64_t begin, std::int64_t end,
                       const void** places) const {
    const std::int64_t lines = g_.axis[0].kernel * g_.axis[1].kernel,
                       step = g_.axis[2].stride * pixel_;
    std::int64_t offsets[most_lines];
    for (std::int64_t i = 0; i < lines; ++i)
        offsets[i] = (i / g_.axis[1].kernel * g_.axis[0].dilation * size_[1] +
                      i % g_.axis[1].kernel * g_.axis[1].dilation) *
                     line_;
    for_each_line(
        g_, begin, end,
        [&](std::int64_t n, std::int64_t z, std::int64_t y, std::int64_t first, std::int64_t last) {
            const std::byte* base =
                image + first * step +
                ((n * size_[0] + z * g_.axis[0].stride) * size_[1] + y * g_.axis[1].stride) * line_;
            if (lines == 3) fill_places<3>(base, step, last - first, offsets, lines, places);
            else fill_places<0>(base, step, last - first, offsets, lines, places);
            places += (last - first) * lines;
        });
}

}  // namespace lapidary

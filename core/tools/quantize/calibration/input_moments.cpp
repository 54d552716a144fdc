// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/input_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {

namespace {

constexpr std::int64_t tile =
    256;  // sums of a row: with those of eight rows they stay in the first cache

/// to[j] += left[0] rows[0][j] + ... + left[7] rows[7][j] for j in [begin, end), from left to
/// right.
void add_eight(double* to, const double* rows, std::int64_t stride, const double (&left)[8],
               std::int64_t begin, std::int64_t end) {
    const double *r0 = rows, *r1 = r0 + stride, *r2 = r1 + stride, *r3 = r2 + stride,
                 *r4 = r3 + stride, *r5 = r4 + stride, *r6 = r5 + stride, *r7 = r6 + stride;
    for (std::int64_t j = begin; j < end; ++j) {
        double sum = to[j];
        sum += left[0] * r0[j];
        sum += left[1] * r1[j];
        sum += left[2] * r2[j];
        sum += left[3] * r3[j];
        sum += left[4] * r4[j];
        sum += left[5] * r5[j];
        sum += left[6] * r6[j];
        sum += left[7] * r7[j];
        to[j] = sum;
    }
}

/// A factor of 0 adds nothing, whatever the other factor is.
void add_one(double* to, const double* row, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i, to += size) {
        if (row[i] == 0) continue;
        for (std::int64_t j = 0; j <= i; ++j) to[j] += row[i] * row[j];
    }
}

}  // namespace

MomentRows::MomentRows(InputMoments& moments)
    : moments_(moments), groups_(static_cast<std::size_t>(moments.groups)) {}

MomentRows::~MomentRows() {
    for (std::int64_t group = 0; group < moments_.groups; ++group) flush(group);
}

double* MomentRows::sums_of(std::int64_t group) {
    return moments_.sums.data() + group * moments_.size * moments_.size;
}

void MomentRows::add(std::int64_t group, std::span<const float> row) {
    Waiting& waiting = groups_[static_cast<std::size_t>(group)];
    if (waiting.rows.empty())
        waiting.rows.resize(static_cast<std::size_t>(at_a_time * moments_.size));
    double* const to = waiting.rows.data() + waiting.count * moments_.size;
    bool is_finite = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
        to[i] = row[i];
        is_finite = is_finite && std::isfinite(row[i]);
    }
    if (is_finite) {
        if (++waiting.count == at_a_time) flush(group);
        return;
    }
    const std::vector<double> alone(to, to + moments_.size);  // infinite: not to be multiplied by 0
    flush(group);
    add_one(sums_of(group), alone.data(), moments_.size);
}

void MomentRows::flush(std::int64_t group) {
    Waiting& waiting = groups_[static_cast<std::size_t>(group)];
    const std::int64_t size = moments_.size, count = std::exchange(waiting.count, 0);
    const double* const rows = waiting.rows.data();
    if (count < at_a_time) {
        for (std::int64_t r = 0; r < count; ++r) add_one(sums_of(group), rows + r * size, size);
        return;
    }
    for (std::int64_t begin = 0; begin < size; begin += tile)
        for (std::int64_t i = begin; i < size; ++i) {
            double left[at_a_time];
            for (std::int64_t r = 0; r < at_a_time; ++r) left[r] = rows[r * size + i];
            add_eight(sums_of(group) + i * size, rows, size, left, begin,
                      std::min(i + 1, begin + tile));
        }
}

namespace {

/// Geometry of a two-dimensional convolution (one axis of size 1 for one-dimensional ones).
struct Windows {
    std::int64_t kernel[2], stride[2], dilation[2], pad[2], size[2], out[2];

    Windows(const Node& node, const Tensor& data, const Shape& weight) {
        const auto spatial = weight.size() - 2;
        const auto strides = node.ints_attribute("strides"),
                   dilations = node.ints_attribute("dilations"), pads = node.ints_attribute("pads");
        for (std::size_t d = 0; d < 2; ++d) {
            const bool used = d >= 2 - spatial;
            const std::size_t at = d - (2 - spatial);
            kernel[d] = used ? weight[2 + at] : 1;
            stride[d] = used && at < strides.size() ? strides[at] : 1;
            dilation[d] = used && at < dilations.size() ? dilations[at] : 1;
            pad[d] = used && at < pads.size() ? pads[at] : 0;
            const std::int64_t end = used && at + spatial < pads.size() ? pads[at + spatial] : 0;
            size[d] = used ? data.shape()[2 + at] : 1;
            out[d] = (size[d] + pad[d] + end - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1;
        }
    }
};

void add_windows(InputMoments& moments, const Node& node, const Tensor& data, const Shape& weight,
                 std::int64_t most_rows, const CancelToken& cancel) {
    const Windows w(node, data, weight);
    const std::int64_t channels = data.dim(1), per_group = weight[1],
                       places = data.dim(0) * w.out[0] * w.out[1];
    const std::int64_t step =
        std::max<std::int64_t>(1, places / std::max<std::int64_t>(1, most_rows));
    const auto from = data.data<float>();
    std::vector<float> row(static_cast<std::size_t>(moments.size));
    MomentRows to(moments);
    for (std::int64_t place = 0; place < places; place += step) {
        const std::int64_t n = place / (w.out[0] * w.out[1]), y = place / w.out[1] % w.out[0],
                           x = place % w.out[1];
        for (std::int64_t g = 0; g < moments.groups; ++g) {
            cancel.throw_if_cancelled();
            std::size_t at = 0;
            for (std::int64_t c = g * per_group; c < (g + 1) * per_group; ++c)
                for (std::int64_t ky = 0; ky < w.kernel[0]; ++ky)
                    for (std::int64_t kx = 0; kx < w.kernel[1]; ++kx, ++at) {
                        const std::int64_t iy = y * w.stride[0] + ky * w.dilation[0] - w.pad[0],
                                           ix = x * w.stride[1] + kx * w.dilation[1] - w.pad[1];
                        const bool inside = iy >= 0 && iy < w.size[0] && ix >= 0 && ix < w.size[1];
                        row[at] = inside
                                      ? from[static_cast<std::size_t>(
                                            ((n * channels + c) * w.size[0] + iy) * w.size[1] + ix)]
                                      : 0;
                    }
            to.add(g, row);
        }
        ++moments.rows;
    }
}

}  // namespace

InputMoments moments_for(const Graph& graph, const WeightedProduct& product, std::int64_t most) {
    const Tensor& weight = *graph.value(product.weight).constant;
    const Node& node = graph.node(product.node);
    InputMoments moments;
    if (weight.size() == 0 || is_transposed_convolution(node) || weight.rank() > 4 ||
        node.string_attribute("auto_pad", "NOTSET") != "NOTSET")
        return moments;
    const std::int64_t size =
        weight.size() / weight.dim(static_cast<std::size_t>(product.output_axis));
    if (size > most || product.groups * size > 4 * most) return moments;
    moments.groups = product.groups;
    moments.size = size;
    moments.sums.assign(static_cast<std::size_t>(product.groups * size * size), 0);
    return moments;
}

InputMoments moments_in_groups(std::int64_t inputs, std::int64_t most) {
    constexpr std::int64_t whole_blocks = 256;  // a multiple of every block
    InputMoments moments;
    moments.groups = (inputs + most - 1) / most;
    const std::int64_t each = (inputs + moments.groups - 1) / moments.groups;
    moments.size = (each + whole_blocks - 1) / whole_blocks * whole_blocks;
    moments.sums.assign(static_cast<std::size_t>(moments.groups * moments.size * moments.size), 0);
    return moments;
}

bool has_moments_of(const InputMoments& moments, std::int64_t inputs) {
    return moments.groups == 1 ? moments.size == inputs
                               : moments.groups > 1 && inputs <= moments.groups * moments.size &&
                                     inputs > (moments.groups - 1) * moments.size;
}

std::vector<double> sums_of_group(const InputMoments& moments, std::int64_t group,
                                  std::size_t count) {
    const auto size = static_cast<std::size_t>(moments.size);
    const double* from = moments.sums.data() + static_cast<std::size_t>(group) * size * size;
    std::vector<double> sums;
    sums.reserve(count * count);
    for (std::size_t i = 0; i < count; ++i, from += size)
        sums.insert(sums.end(), from, from + count);
    return sums;
}

namespace {

/// One row of all inputs, shared out among the groups.
void add_in_groups(MomentRows& to, const InputMoments& moments, std::span<const float> row) {
    const auto size = static_cast<std::size_t>(moments.size);
    for (std::int64_t group = 0; group < moments.groups; ++group) {
        const std::size_t first = static_cast<std::size_t>(group) * size;
        const auto part = row.subspan(first, std::min(size, row.size() - first));
        if (part.size() == size) {
            to.add(group, part);
            continue;
        }
        std::vector<float> whole(part.begin(), part.end());
        whole.resize(size, 0);
        to.add(group, whole);
    }
}

}  // namespace

void add_moments(InputMoments& moments, const Graph& graph, const WeightedProduct& product,
                 const Tensor& data, std::int64_t most_rows, const CancelToken& cancel) {
    if (moments.size == 0 || data.dtype() != DType::f32 || data.size() == 0) return;
    const Shape& weight = graph.value(product.weight).constant->shape();
    if (product.is_convolution) {
        if (static_cast<std::size_t>(data.rank()) == weight.size() &&
            data.dim(1) == weight[1] * product.groups)
            add_windows(moments, graph.node(product.node), data, weight, most_rows, cancel);
        return;
    }
    const std::int64_t inputs = weight[static_cast<std::size_t>(product.input_axis)];
    if (data.shape().back() != inputs || !has_moments_of(moments, inputs)) return;
    const std::int64_t rows = data.size() / inputs,
                       step =
                           std::max<std::int64_t>(1, rows / std::max<std::int64_t>(1, most_rows));
    MomentRows to(moments);
    for (std::int64_t r = 0; r < rows; r += step) {
        cancel.throw_if_cancelled();
        add_in_groups(to, moments,
                      data.data<float>().subspan(static_cast<std::size_t>(r * inputs),
                                                 static_cast<std::size_t>(inputs)));
        ++moments.rows;
    }
}

}  // namespace lapidary

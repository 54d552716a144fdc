// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/conv_weight.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/integer/conv_geometry.h"

namespace lapidary {
namespace {

/// A copy of the image with its padding costs little, and lines of taps are runs in it.
bool fits_lines(const KernelRequest& request, const Tensor& w, std::int64_t groups) {
    constexpr std::int64_t widest_padding = 64;
    const auto spatial = static_cast<std::size_t>(w.rank() - 2);
    const WindowAttributes window = read_window_attributes(request.node, spatial);
    const auto is_narrow = [](std::int64_t pad) { return pad <= widest_padding; };
    std::int64_t lines = 1;
    for (std::size_t i = 2; i + 1 < w.shape().size(); ++i) lines *= w.dim(i);
    return groups == 1 && w.shape().back() > 1 && window.dilations.back() == 1 &&
           lines <= PaddedImage::most_lines && std::ranges::all_of(window.pads_begin, is_narrow) &&
           std::ranges::all_of(window.pads_end, is_narrow);
}

/// [filter][tap][channel] of one group.
std::vector<std::uint8_t> channels_last(const std::uint8_t* from, std::int64_t filters,
                                        std::int64_t inner, std::int64_t taps) {
    std::vector<std::uint8_t> rows(static_cast<std::size_t>(filters * taps * inner));
    std::uint8_t* to = rows.data();
    for (std::int64_t n = 0; n < filters; ++n, from += taps * inner)
        for (std::int64_t t = 0; t < taps; ++t)
            for (std::int64_t c = 0; c < inner; ++c) *to++ = from[c * taps + t];
    return rows;
}

}  // namespace

ConvWeight ConvWeight::pack(const KernelRequest& request, const Tensor& w, std::int64_t groups,
                            bool may_read_beyond) {
    const std::int64_t inner = w.dim(1), taps = w.size() / w.dim(0) / inner,
                       per_group = w.dim(0) / groups;
    ConvWeight made;
    if ((inner < 16 && taps > 1) || inner % 4 != 0)
        made.rows =
            may_read_beyond && fits_lines(request, w, groups) ? Rows::lines : Rows::gathered;
    const std::int64_t width = w.shape().back(), run = made.rows == Rows::gathered ? taps * inner
                                                       : made.rows == Rows::lines  ? width * inner
                                                                                   : inner;
    made.layout = ByteLayout::of(taps * inner / run, run, per_group);
    made.group_bytes = (made.layout.bytes() + 63) / 64 * 64;
    const auto fill = [layout = made.layout, source = w, rows = made.rows,
                       group_bytes = made.group_bytes, taps, inner,
                       per_group](std::byte* to, std::int64_t begin, std::int64_t end) {
        const std::int64_t depth = taps * inner;
        const auto* all = static_cast<const std::uint8_t*>(source.raw());
        while (begin < end) {
            const std::int64_t group = begin / layout.panels(), first = begin % layout.panels(),
                               last = std::min(layout.panels(), first + end - begin);
            const std::uint8_t* from = all + group * per_group * depth;
            std::byte* here = to + static_cast<std::size_t>(group) * group_bytes;
            if (rows == Rows::taps)
                layout.pack(from, source.dtype(), {1, taps, depth}, first, last, here);
            else {
                const std::vector<std::uint8_t> turned =
                    channels_last(from, per_group, inner, taps);
                layout.pack(turned.data(), source.dtype(), {layout.inner, 1, depth}, first, last,
                            here);
            }
            begin += last - first;
        }
    };
    const char* const kind = made.rows == Rows::gathered ? " gathered"
                             : made.rows == Rows::lines  ? " lines"
                                                         : "";
    made.packed = request.weights.add(
        w, "conv " + made.layout.format() + kind + " groups " + std::to_string(groups),
        made.group_bytes * static_cast<std::size_t>(groups), groups * made.layout.panels(), fill);
    return made;
}

}  // namespace lapidary

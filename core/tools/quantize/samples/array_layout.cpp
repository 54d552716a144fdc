// SPDX-License-Identifier: Apache-2.0
#include "quantize/samples/array_layout.h"

#include <cstring>

namespace lapidary {
namespace {

using Layout = ImageOptions::Layout;

bool is_colour(std::int64_t channels) { return channels == 1 || channels == 3; }

std::int64_t size_of(const Dim& dim) { return dim.is_known() ? dim.value() : -1; }

Layout layout_of(const SymbolicShape& declared) {
    return !is_colour(size_of(declared[1])) && is_colour(size_of(declared[3])) ? Layout::nhwc
                                                                               : Layout::nchw;
}

Shape turned(const Shape& shape, bool to_nchw) {
    return to_nchw ? Shape{shape[0], shape[3], shape[1], shape[2]}
                   : Shape{shape[0], shape[2], shape[3], shape[1]};
}

/// Nothing: `found` has another size, and cutting does not help.
std::optional<ArrayFit> cut_fit(const SymbolicShape& declared, const Shape& found, bool is_stack,
                                bool may_cut, Layout layout) {
    ArrayFit fit;
    fit.is_nchw = layout == Layout::nchw;
    const std::size_t rows = layout == Layout::nchw ? 2 : 1;
    const bool is_picture = declared.size() == 4;
    for (std::size_t d = is_stack ? 1 : 0; d < found.size(); ++d) {
        const std::int64_t wanted = size_of(declared[d]);
        if (wanted < 0 || wanted == found[d]) continue;
        if (!may_cut || !is_picture || (d != rows && d != rows + 1) || found[d] < wanted)
            return std::nullopt;
        fit.is_cropped = true;
    }
    if (!fit.is_cropped) return fit;
    const auto side = [&](std::size_t d) {
        return declared[d].is_known() ? declared[d].value() : found[d];
    };
    fit.height = side(rows);
    fit.width = side(rows + 1);
    fit.top = (found[rows] - fit.height) / 2;
    fit.left = (found[rows + 1] - fit.width) / 2;
    return fit;
}

/// `block` bytes each, from [outer, rows, columns] to [outer, columns, rows].
void transpose(const std::byte* from, std::byte* to, std::int64_t outer, std::int64_t rows,
               std::int64_t columns, std::size_t block) {
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                std::memcpy(to + static_cast<std::size_t>((o * columns + c) * rows + r) * block,
                            from + static_cast<std::size_t>((o * rows + r) * columns + c) * block,
                            block);
}

Tensor cut_to_middle(const Tensor& array, const ArrayFit& fit) {
    const bool is_nchw = fit.is_nchw;
    const Shape& shape = array.shape();
    const std::int64_t outer = shape[0] * (is_nchw ? shape[1] : 1), inner = is_nchw ? 1 : shape[3];
    const std::int64_t height = shape[is_nchw ? 2 : 1], width = shape[is_nchw ? 3 : 2];
    Shape cut = shape;
    cut[is_nchw ? 2 : 1] = fit.height;
    cut[is_nchw ? 3 : 2] = fit.width;
    Tensor made(array.dtype(), cut);
    const std::size_t pixel = array.byte_size() / static_cast<std::size_t>(array.size()) *
                              static_cast<std::size_t>(inner);
    const auto* from = static_cast<const std::byte*>(array.raw());
    auto* to = static_cast<std::byte*>(made.mutable_raw());
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t y = 0; y < fit.height;
             ++y, to += static_cast<std::size_t>(fit.width) * pixel)
            std::memcpy(
                to,
                from +
                    static_cast<std::size_t>((o * height + fit.top + y) * width + fit.left) * pixel,
                static_cast<std::size_t>(fit.width) * pixel);
    return made;
}

}  // namespace

bool has_channels_last(const Shape& shape) {
    return shape.size() == 4 && !is_colour(shape[1]) && is_colour(shape[3]);
}

bool is_picture_shape(const Shape& shape) {
    return shape.size() == 4 && (is_colour(shape[1]) || is_colour(shape[3]));
}

std::optional<ArrayFit> array_fit(const SymbolicShape& declared, const Shape& found, bool is_stack,
                                  const ImageOptions& images) {
    if (declared.size() != found.size()) return std::nullopt;
    const bool may_cut = images.crop > 0;
    if (declared.size() != 4) return cut_fit(declared, found, is_stack, false, Layout::nchw);
    const Layout wanted = layout_of(declared);
    const bool is_same = !images.array_layout || *images.array_layout == wanted;
    if (is_same)
        if (const auto fit = cut_fit(declared, found, is_stack, may_cut, wanted)) return fit;
    if (is_same && images.array_layout) return std::nullopt;
    const bool to_nchw = wanted == Layout::nchw;
    const Shape other = turned(found, to_nchw);
    if (!images.array_layout && !is_colour(to_nchw ? other[1] : other[3])) return std::nullopt;
    auto fit = cut_fit(declared, other, is_stack, may_cut, wanted);
    if (!fit) return std::nullopt;
    fit->is_transposed = true;
    return fit;
}

Tensor laid_out(const Tensor& array, const ArrayFit& fit) {
    if (array.size() == 0 || (!fit.is_transposed && !fit.is_cropped)) return array;
    Tensor made = array;
    if (fit.is_transposed) {
        const Shape& shape = array.shape();
        made = Tensor(array.dtype(), turned(shape, fit.is_nchw));
        const std::size_t element = array.byte_size() / static_cast<std::size_t>(array.size());
        const auto* from = static_cast<const std::byte*>(array.raw());
        auto* to = static_cast<std::byte*>(made.mutable_raw());
        if (fit.is_nchw) transpose(from, to, shape[0], shape[1] * shape[2], shape[3], element);
        else transpose(from, to, shape[0], shape[1], shape[2] * shape[3], element);
    }
    return fit.is_cropped ? cut_to_middle(made, fit) : made;
}

}  // namespace lapidary

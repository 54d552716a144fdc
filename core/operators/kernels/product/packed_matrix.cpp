// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/product/packed_product.h"
#include "kernels/product/panels.h"

namespace lapidary::packed_matrix {

std::int64_t panels(std::int64_t columns) { return Panels(columns).count; }

std::size_t bytes(std::int64_t inner, std::int64_t columns) {
    const std::int64_t vector = product_kernels().vector;
    return static_cast<std::size_t>((columns + vector - 1) / vector * vector * inner) *
           sizeof(float);
}

std::int64_t panel_begin(std::int64_t columns, std::int64_t panel) {
    return Panels(columns).begin(panel);
}

void pack_panel(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
                std::int64_t count, float* to) {
    const ProductKernels& kernels = product_kernels();
    kernels.pack_panel(b, stride, transposed, inner, count,
                       (count + kernels.vector - 1) / kernels.vector * kernels.vector, to);
}

void pack(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
          std::int64_t columns, std::int64_t begin, std::int64_t end, float* to) {
    const Panels panels(columns);
    for (std::int64_t panel = begin; panel < end; ++panel) {
        const std::int64_t first = panels.begin(panel);
        pack_panel(b + first * (transposed ? stride : 1), stride, transposed, inner,
                   panels.begin(panel + 1) - first, to + first * inner);
    }
}

std::int64_t panel_stride(std::int64_t count) {
    return rounded_up(count, product_kernels().vector);
}

std::int64_t half_rows(HalfFormat format, std::int64_t inner) {
    return format == HalfFormat::bfloat16 ? rounded_up(inner, 2) : inner;
}

void pack_half_panel(const std::uint16_t* b, std::int64_t stride, bool transposed,
                     HalfFormat format, std::int64_t inner, std::int64_t count, std::uint16_t* to) {
    const std::int64_t width = panel_stride(count), rows = half_rows(format, inner);
    const bool in_pairs = format == HalfFormat::bfloat16;
    const auto place = [&](std::int64_t k, std::int64_t j) {
        return in_pairs ? (k / 2 * width + j) * 2 + k % 2 : k * width + j;
    };
    if (count < width || rows > inner) std::fill(to, to + rows * width, std::uint16_t{0});
    constexpr std::int64_t block = 32;  // values of k: a whole cache line of the source
    for (std::int64_t first = 0; first < inner; first += block) {
        const std::int64_t last = std::min(first + block, inner);
        if (!transposed && !in_pairs)
            for (std::int64_t k = first; k < last; ++k)
                std::copy_n(b + k * stride, count, to + k * width);
        else if (!transposed)
            for (std::int64_t k = first; k < last; ++k)
                for (std::int64_t j = 0; j < count; ++j) to[place(k, j)] = b[k * stride + j];
        else
            for (std::int64_t j = 0; j < count; ++j)
                for (std::int64_t k = first; k < last; ++k) to[place(k, j)] = b[j * stride + k];
    }
}

const char* format() {
    switch (product_kernels().panel_columns) {
    case 48: return "product panels of 48";
    case 16: return "product panels of 16";
    default: return "product panels of 4";
    }
}

}  // namespace lapidary::packed_matrix

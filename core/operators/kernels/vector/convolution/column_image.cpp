// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/convolution/column_image.h"

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;

void add_rows(const float* x, std::int64_t x_stride, float* y, std::int64_t y_stride,
              std::int64_t rows, std::int64_t count) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t whole = count / lanes * lanes;
    for (std::int64_t row = 0; row < rows; ++row, x += x_stride, y += y_stride) {
        for (std::int64_t i = 0; i < whole; i += lanes)
            hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, x + i)), d, y + i);
        if (whole < count)
            store_first(d,
                        hn::Add(load_first(d, y + whole, count - whole),
                                load_first(d, x + whole, count - whole)),
                        y + whole, count - whole);
    }
}

}  // namespace

const ColumnImageKernels& column_image_kernels() {
    static constexpr ColumnImageKernels table{&add_rows};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA

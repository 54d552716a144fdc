// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_weight.h"

#include <algorithm>
#include <string>

namespace lapidary {

void ProductWeight::put(Product& product, std::int64_t index) const {
    const float* matrix = packed->as<float>() + index * matrix_floats();
    product.packed_b = is_turned() ? nullptr : matrix;
    product.b = is_turned() ? matrix : nullptr;
    product.b_stride = inner;
    product.transposed_b = true;
}

std::int64_t ProductWeight::matrix_floats() const {
    if (is_turned()) return (inner * columns + 15) / 16 * 16;
    return static_cast<std::int64_t>((packed_matrix::bytes(inner, columns) + 63) / 64 * 64 / sizeof(float));
}

ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices, std::int64_t inner, std::int64_t columns, bool turned) {
    ProductWeight weight{nullptr, inner, columns};
    const std::int64_t floats = weight.matrix_floats(), panels = packed_matrix::panels(columns);
    if (weight.is_turned()) {
        const std::string rows = (turned ? "product rows turned " : "product rows ") + std::to_string(inner) + "x" + std::to_string(columns);
        weight.packed = weights.add(source, rows, static_cast<std::size_t>(floats * matrices) * sizeof(float), matrices,
                                    [=, data = source.data<float>().data()](std::byte* to, std::int64_t begin, std::int64_t end) {
                                        for (std::int64_t matrix = begin; matrix < end; ++matrix) {
                                            const float* from = data + matrix * inner * columns;
                                            float* row = reinterpret_cast<float*>(to) + matrix * floats;
                                            for (std::int64_t j = 0; j < columns; ++j)
                                                for (std::int64_t k = 0; k < inner; ++k) row[j * inner + k] = from[turned ? j * inner + k : k * columns + j];
                                        }
                                    });
        return weight;
    }
    const std::string format = std::string(packed_matrix::format()) + (turned ? " turned " : " ") + std::to_string(inner) + "x" + std::to_string(columns);
    weight.packed = weights.add(source, format, static_cast<std::size_t>(floats * matrices) * sizeof(float), matrices * panels,
                                [=, data = source.data<float>().data()](std::byte* to, std::int64_t begin, std::int64_t end) {
                                    for (std::int64_t unit = begin; unit < end;) {
                                        const std::int64_t matrix = unit / panels, first = unit % panels, last = std::min(panels, first + end - unit);
                                        packed_matrix::pack(data + matrix * inner * columns, turned ? inner : columns, turned, inner, columns, first, last,
                                                            reinterpret_cast<float*>(to) + matrix * floats);
                                        unit += last - first;
                                    }
                                });
    return weight;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_weight.h"

#include <algorithm>
#include <string>

#include "kernels/product/packed_product.h"

namespace lapidary {

std::int64_t ProductWeight::matrix_floats() const {
    return static_cast<std::int64_t>((packed_matrix::bytes(inner, columns) + 63) / 64 * 64 / sizeof(float));
}

ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices, std::int64_t inner, std::int64_t columns, bool turned) {
    ProductWeight weight{nullptr, inner, columns};
    const std::int64_t floats = weight.matrix_floats(), panels = packed_matrix::panels(columns);
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

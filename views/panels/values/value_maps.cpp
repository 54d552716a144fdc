// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/values/value_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary::views {
namespace {

constexpr std::int64_t least_side = 2, longest_side = 1 << 16;
constexpr std::int64_t least_picture_side = 16;  // of a picture with colours

bool isOfNumbers(const Tensor& tensor) {
    return tensor.size() > 0 && tensor.dtype() != DType::string &&
           tensor.dtype() != DType::complex64 && tensor.dtype() != DType::complex128;
}

}  // namespace

ValueMapsPtr mapsOf(const Tensor& tensor, bool mayBeColour) {
    if (!tensor || tensor.rank() < 2 || !isOfNumbers(tensor)) return nullptr;
    const auto rank = std::size_t(tensor.rank());
    const std::int64_t rows = tensor.dim(rank - 2), columns = tensor.dim(rank - 1);
    if (std::min(rows, columns) < least_side || std::max(rows, columns) > longest_side)
        return nullptr;
    auto maps = std::make_shared<ValueMaps>();
    maps->rows = int(rows);
    maps->columns = int(columns);
    maps->count =
        int(std::min<std::int64_t>(tensor.size() / (rows * columns), ValueMaps::most_maps));
    maps->isColour = mayBeColour && rank == 3 && tensor.dim(0) == 3 &&
                     std::min(rows, columns) >= least_picture_side;
    maps->values = to_doubles(tensor);
    maps->values.resize(std::size_t(maps->count) * std::size_t(rows * columns));
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : maps->values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low <= high) {
        maps->low = low;
        maps->high = high;
    }
    return maps;
}

}  // namespace lapidary::views

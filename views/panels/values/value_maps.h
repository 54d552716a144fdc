// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor as pictures: its last two axes as rows and columns, one picture for each element of the
// axes before them. Uses no widgets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary::views {

struct ValueMaps {
    static constexpr int most_maps = 64;

    int count = 0, rows = 0, columns = 0;  // maps, and the size of each
    std::vector<double> values;            // count x rows x columns
    double low = 0, high = 0;              // of the finite values
    // the maps are red, green and blue of one picture
    bool isColour = false;

    double at(int map, int row, int column) const {
        return values[(std::size_t(map) * std::size_t(rows) + std::size_t(row)) *
                          std::size_t(columns) +
                      std::size_t(column)];
    }
};
using ValueMapsPtr = std::shared_ptr<const ValueMaps>;

/// Of at most `most_maps` of them. Null for text and complex numbers, and where rows or columns are
/// fewer than two. `mayBeColour`: three maps of the size of a picture are its colours.
ValueMapsPtr mapsOf(const Tensor& tensor, bool mayBeColour);

}  // namespace lapidary::views

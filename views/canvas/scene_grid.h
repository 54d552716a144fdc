// SPDX-License-Identifier: GPL-3.0-or-later
// A grid over the drawing that finds the items in a rectangle without checking all items.
#pragma once

#include <QRectF>

#include <cstdint>
#include <vector>

namespace lapidary::views {

class SceneGrid {
public:
    SceneGrid() = default;
    /// `bounds[i]` is the rectangle of item i.
    SceneGrid(float width, float height, const std::vector<QRectF>& bounds);

    /// Items whose rectangles may touch `area`, each once, in ascending order, appended to `found`.
    void find(const QRectF& area, std::vector<std::uint32_t>& found) const;

private:
    int column(double x) const;
    int row(double y) const;
    double cellWidth_ = 1, cellHeight_ = 1;
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint32_t> offsets_, items_;
};

}  // namespace lapidary::views

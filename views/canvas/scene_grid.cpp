// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/scene_grid.h"

#include <algorithm>
#include <cmath>

namespace lapidary::views {
namespace {
constexpr double preferredCell = 400;
constexpr int mostCells = 256;  // along one side, unless the drawing is a strip
}  // namespace

SceneGrid::SceneGrid(float width, float height, const std::vector<QRectF>& bounds) {
    auto cells = [](double length, int most) {
        return std::clamp(static_cast<int>(std::ceil(length / preferredCell)), 1, most);
    };
    columns_ = cells(width, mostCells);
    rows_ = cells(height, mostCells * mostCells / columns_);
    columns_ = cells(width, mostCells * mostCells / rows_);
    cellWidth_ = std::max(1.0, static_cast<double>(width) / columns_);
    cellHeight_ = std::max(1.0, static_cast<double>(height) / rows_);
    auto each = [&](const QRectF& r, auto&& visit) {
        for (int y = row(r.top()); y <= row(r.bottom()); ++y) {
            for (int x = column(r.left()); x <= column(r.right()); ++x)
                visit(static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(x));
        }
    };
    offsets_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
    for (const QRectF& r : bounds) each(r, [&](std::size_t cell) { ++offsets_[cell + 1]; });
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    items_.resize(offsets_.back());
    std::vector<std::uint32_t> fill(offsets_.begin(), offsets_.end() - 1);
    for (std::uint32_t i = 0; i < bounds.size(); ++i)
        each(bounds[i], [&](std::size_t cell) { items_[fill[cell]++] = i; });
}

int SceneGrid::column(double x) const {
    return std::clamp(static_cast<int>(x / cellWidth_), 0, columns_ - 1);
}
int SceneGrid::row(double y) const {
    return std::clamp(static_cast<int>(y / cellHeight_), 0, rows_ - 1);
}

void SceneGrid::find(const QRectF& area, std::vector<std::uint32_t>& found) const {
    if (columns_ == 0) return;
    const std::size_t before = found.size();
    for (int y = row(area.top()); y <= row(area.bottom()); ++y) {
        for (int x = column(area.left()); x <= column(area.right()); ++x) {
            const std::size_t cell =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(x);
            found.insert(found.end(), items_.begin() + offsets_[cell],
                         items_.begin() + offsets_[cell + 1]);
        }
    }
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
    found.erase(std::unique(found.begin() + static_cast<std::ptrdiff_t>(before), found.end()),
                found.end());
}

}  // namespace lapidary::views

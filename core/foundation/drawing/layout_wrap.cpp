// SPDX-License-Identifier: Apache-2.0
// Cuts a drawing that is much longer than wide between rows into columns side by side, which are
// read like those of a newspaper. A line that continues in the next column runs along the gutter
// between the two.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "drawing/layout_stages.h"

namespace lapidary::layout {
namespace {

// the least height of a drawing that is wrapped; a shorter one is easy to see as it is
constexpr float least_height = 700;
constexpr float lane = 6, margin = 12;             // between lines of a gutter, and beside them
constexpr std::size_t most_lines = 24;             // that go on in the next column
constexpr float shortest = 0.75f, longest = 1.2f;  // of a column, by the height it should have

/// Rows top..bottom of a column in the drawing that is one column.
struct Column {
    float top = 0, bottom = 0;  // of its boxes
    float end = 0;              // where the next one begins
    float left = 0, right = 0;  // with the lines that pass it
    float dx = 0, dy = 0;       // to its place
    float head = 0;             // room above it for the lines that come
    // into the next: x here, and which lane
    std::map<std::pair<Index, Index>, std::pair<float, std::size_t>> lines;
};

struct Rows {
    std::vector<float> top, bottom;
};

Rows rows_of(const LayoutInput& input, const LayoutResult& result) {
    int last = -1;
    for (const int rank : result.ranks) last = std::max(last, rank);
    Rows rows{std::vector<float>(static_cast<std::size_t>(last + 1), 1e30f),
              std::vector<float>(static_cast<std::size_t>(last + 1), -1e30f)};
    for (Index v = 0; v < input.boxes.size(); ++v) {
        const auto r = static_cast<std::size_t>(result.ranks[v]);
        rows.top[r] = std::min(rows.top[r], result.corners[v].y);
        rows.bottom[r] = std::max(rows.bottom[r], result.corners[v].y + input.boxes[v].height);
    }
    for (std::size_t r = 0; r < rows.top.size(); ++r)  // one that lines alone pass
        if (rows.bottom[r] < rows.top[r])
            rows.top[r] = rows.bottom[r] = r == 0 ? 0 : rows.bottom[r - 1];
    return rows;
}

/// How many lines pass each gap between rows.
std::vector<std::size_t> lines_through(const std::vector<float>& gaps, const LayoutResult& result) {
    std::vector<std::ptrdiff_t> change(gaps.size() + 1, 0);
    for (const LayoutRoute& route : result.routes) {
        if (route.points.empty()) continue;
        const auto [low, high] = std::minmax(route.points.front().y, route.points.back().y);
        ++change[static_cast<std::size_t>(std::ranges::lower_bound(gaps, low) - gaps.begin())];
        --change[static_cast<std::size_t>(std::ranges::lower_bound(gaps, high) - gaps.begin())];
    }
    std::vector<std::size_t> lines(gaps.size());
    std::ptrdiff_t now = 0;
    for (std::size_t g = 0; g < gaps.size(); ++g)
        lines[g] = static_cast<std::size_t>(now += change[g]);
    return lines;
}

class Wrapper {
public:
    Wrapper(const LayoutInput& input, LayoutResult& result) : input_(input), result_(result) {}

    void wrap(double aspect) {
        if (result_.height < least_height || result_.width <= 0) return;
        const double count =
            std::floor(std::sqrt(aspect * result_.height / (result_.width + 4 * margin)));
        if (count < 2 || !cut(static_cast<float>(result_.height / count))) return;
        collect();
        place();
        for (LayoutRoute& route : result_.routes) bend(route);
        for (Index v = 0; v < input_.boxes.size(); ++v) move(result_.corners[v], column_of_box(v));
        for (LayoutStub& stub : result_.stubs) {
            const LayoutEdge& edge = input_.edges[stub.edge];
            const Index box =
                stub.target == LayoutStub::all ? edge.source : edge.targets[stub.target].box;
            const Column& at = column_of_box(box);
            move(stub.border, at);
            move(stub.tip, at);
        }
    }

private:
    /// Into columns of about that height, where few lines pass; false: there is nothing to gain.
    bool cut(float height) {
        const Rows rows = rows_of(input_, result_);
        if (rows.top.size() < 4) return false;
        std::vector<float> gaps;
        for (std::size_t r = 0; r + 1 < rows.top.size(); ++r)
            gaps.push_back((rows.bottom[r] + rows.top[r + 1]) / 2);
        const std::vector<std::size_t> through = lines_through(gaps, result_);
        std::size_t first = 0;
        for (std::size_t gap = 0; gap < gaps.size();) {
            const float begin = rows.top[first];
            if (rows.bottom.back() - begin <= longest * height) break;
            std::size_t best = gaps.size();
            double least = 0;
            for (; gap < gaps.size() && gaps[gap] < begin + longest * height; ++gap) {
                if (gaps[gap] < begin + shortest * height) continue;
                const double cost = static_cast<double>(through[gap]) +
                                    6 * std::abs(gaps[gap] - begin - height) / height;
                if (best < gaps.size() && cost >= least) continue;
                best = gap;
                least = cost;
            }
            if (best == gaps.size()) {  // a row taller than a column
                if (gap == gaps.size()) break;
                best = gap;
            }
            if (through[best] > most_lines) return false;
            columns_.push_back({begin, rows.bottom[best], gaps[best]});
            first = best + 1;
            gap = first;
        }
        columns_.push_back({rows.top[first], rows.bottom.back(), 1e30f});
        return columns_.size() > 1;
    }

    std::size_t column_at(float y) const {
        return static_cast<std::size_t>(
            std::ranges::partition_point(columns_, [y](const Column& c) { return c.end < y; }) -
            columns_.begin());
    }
    const Column& column_of_box(Index box) const {
        return columns_[column_of_.empty() ? column_at(result_.corners[box].y) : column_of_[box]];
    }
    /// Lines to one reader that run backwards share no bundle.
    static std::pair<Index, Index> key(const LayoutRoute& route) {
        return {route.edge, route.backward ? route.target : none};
    }

    void collect() {
        for (Column& column : columns_) column.left = 1e30f, column.right = -1e30f;
        column_of_.reserve(input_.boxes.size());
        for (Index v = 0; v < input_.boxes.size(); ++v) {
            column_of_.push_back(column_at(result_.corners[v].y));
            reach(columns_[column_of_.back()], result_.corners[v].x);
            reach(columns_[column_of_.back()], result_.corners[v].x + input_.boxes[v].width);
        }
        for (const LayoutRoute& route : result_.routes) {
            for (std::size_t i = 0; i < route.points.size(); ++i) {
                const std::size_t at = column_at(route.points[i].y);
                reach(columns_[at], route.points[i].x);
                if (i == 0) continue;
                const LayoutPoint& before = route.points[i - 1];
                const std::size_t from = column_at(before.y);
                for (std::size_t c = std::min(from, at); c < std::max(from, at); ++c) {
                    const float x = from < at ? before.x : route.points[i].x;
                    reach(columns_[c], x);
                    columns_[c].lines.emplace(key(route), std::pair(x, std::size_t(0)));
                }
            }
        }
        // the rightmost turns first, so that lines of a gutter do not cross
        for (Column& column : columns_) {
            std::vector<std::pair<float, std::size_t>*> order;
            for (auto& [line, at] : column.lines) order.push_back(&at);
            std::ranges::stable_sort(
                order, [](const auto* a, const auto* b) { return a->first > b->first; });
            for (std::size_t i = 0; i < order.size(); ++i) order[i]->second = i;
        }
    }
    static void reach(Column& column, float x) {
        column.left = std::min(column.left, x);
        column.right = std::max(column.right, x);
    }

    static float room(const Column& column) {
        return 2 * margin + lane * static_cast<float>(column.lines.size());
    }

    void place() {
        float x = 0, height = 0;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            Column& column = columns_[c];
            column.head = c == 0 ? 0 : room(columns_[c - 1]);
            column.dx = x - column.left;
            column.dy = column.head - column.top;
            x += column.right - column.left;
            height = std::max(height, column.head + column.bottom - column.top);
            if (column.lines.empty() && c + 1 == columns_.size()) continue;
            height = std::max(height, column.head + column.bottom - column.top + room(column));
            x += room(column);
        }
        result_.width = x;
        result_.height = height;
    }

    static void move(LayoutPoint& point, const Column& column) {
        point.x += column.dx;
        point.y += column.dy;
    }

    /// Down below column `c`, along its gutter, and down into the next; `x` in both, of the one
    /// column.
    void go_on(std::vector<LayoutPoint>& points, std::size_t c, float x, float next_x,
               std::size_t slot) const {
        const Column &here = columns_[c], &next = columns_[c + 1];
        const float down = here.bottom + here.dy + margin + lane * static_cast<float>(slot);
        const float gutter = here.right + here.dx + margin + lane * static_cast<float>(slot);
        const float up =
            next.head - margin - lane * static_cast<float>(here.lines.size() - 1 - slot);
        points.push_back({x + here.dx, down});
        points.push_back({gutter, down});
        points.push_back({gutter, up});
        points.push_back({next_x + next.dx, up});
    }

    void bend(LayoutRoute& route) {
        std::vector<LayoutPoint> points = std::exchange(route.points, {});
        if (route.backward) std::reverse(points.begin(), points.end());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const std::size_t at = column_at(points[i].y);
            if (i > 0) {
                for (std::size_t c = column_at(points[i - 1].y); c < at; ++c) {
                    go_on(route.points, c, points[i - 1].x, points[i].x,
                          columns_[c].lines.at(key(route)).second);
                    route.wrapped = true;
                }
            }
            LayoutPoint moved = points[i];
            move(moved, columns_[at]);
            route.points.push_back(moved);
        }
        if (route.backward) std::reverse(route.points.begin(), route.points.end());
    }

    const LayoutInput& input_;
    LayoutResult& result_;
    std::vector<Column> columns_;
    std::vector<std::size_t> column_of_;  // by box
};

}  // namespace

void wrap_columns(const LayoutInput& input, double aspect, LayoutResult& result) {
    Wrapper(input, result).wrap(aspect);
}

}  // namespace lapidary::layout

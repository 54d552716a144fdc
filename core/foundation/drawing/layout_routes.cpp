// SPDX-License-Identifier: Apache-2.0
// From rows and positions to corners, polylines and stubs. Lines run straight down beside the boxes
// of a row and change their x only in the gap between rows, so no line ever crosses a box.
#include <algorithm>
#include <cmath>

#include "drawing/layout_stages.h"

namespace lapidary::layout {
namespace {

struct Band {
    float top = 0, bottom = 0;
};

std::vector<Band> place_bands(const Layers& layers, const LayoutOptions& options) {
    std::vector<Band> bands(layers.rows.size());
    std::vector<float> slant(layers.rows.size(), 0);  // widest sideways step below the row
    for (const Link& link : layers.links) {
        float& widest = slant[static_cast<std::size_t>(layers.rank[link.upper])];
        widest = std::max(widest, std::abs(layers.x[link.upper] - layers.x[link.lower]));
    }
    float y = 0;
    for (std::size_t r = 0; r < bands.size(); ++r) {
        float height = 0;
        for (Index v : layers.rows[r]) height = std::max(height, layers.height[v]);
        bands[r] = {y, y + height};
        y += height + options.rank_gap + std::min(60.0f, 0.03f * slant[r]);
    }
    return bands;
}

class Router {
public:
    Router(const LayoutInput& input, const Layers& layers, const std::vector<Band>& bands,
           const LayoutResult& result)
        : input_(input), layers_(layers), bands_(bands), result_(result) {}

    LayoutPoint exit(Index box, float port) const {
        return {port_x(box, port), result_.corners[box].y + layers_.height[box]};
    }
    LayoutPoint entry(Index box, float port) const {
        return {port_x(box, port), result_.corners[box].y};
    }

    void leave(std::vector<LayoutPoint>& points, Index box, float port) const {
        add(points, exit(box, port));
        add(points, {port_x(box, port), band(box).bottom});
    }
    void arrive(std::vector<LayoutPoint>& points, Index box, float port) const {
        add(points, {port_x(box, port), band(box).top});
        add(points, entry(box, port));
    }
    void pass(std::vector<LayoutPoint>& points, Index bend) const {
        add(points, {layers_.x[bend], band(bend).top});
        add(points, {layers_.x[bend], band(bend).bottom});
    }
    const Band& band(Index v) const { return bands_[static_cast<std::size_t>(layers_.rank[v])]; }

private:
    float port_x(Index box, float port) const {
        return result_.corners[box].x + layers_.width[box] * std::clamp(port, 0.0f, 1.0f);
    }
    /// Leaves out repeated points and the middle one of three on a vertical line.
    static void add(std::vector<LayoutPoint>& points, LayoutPoint p) {
        if (!points.empty() && points.back() == p) return;
        if (points.size() > 1 && points.back().x == p.x && points[points.size() - 2].x == p.x)
            points.back() = p;
        else points.push_back(p);
    }
    const LayoutInput& input_;
    const Layers& layers_;
    const std::vector<Band>& bands_;
    const LayoutResult& result_;
};

/// Boxes without lines: rows of about the drawing's width below the rest.
void place_loose(const LayoutInput& input, const LayoutOptions& options, LayoutResult& result) {
    double area = 0;
    for (Index v = 0; v < input.boxes.size(); ++v) {
        if (result.ranks[v] < 0)
            area += (input.boxes[v].width + options.box_gap) *
                    (input.boxes[v].height + options.rank_gap);
    }
    if (area == 0) return;
    const float limit = std::max(result.width, static_cast<float>(std::sqrt(area * 1.6)));
    float x = 0, y = result.height > 0 ? result.height + options.rank_gap : 0, row_height = 0;
    int rank = -1;
    for (int r : result.ranks) rank = std::max(rank, r);
    ++rank;
    for (Index v = 0; v < input.boxes.size(); ++v) {
        if (result.ranks[v] >= 0) continue;
        const LayoutBox& box = input.boxes[v];
        if (x > 0 && x + box.width > limit) {
            x = 0;
            y += row_height + options.rank_gap;
            row_height = 0;
            ++rank;
        }
        result.corners[v] = {x, y};
        result.ranks[v] = rank;
        result.width = std::max(result.width, x + box.width);
        x += box.width + options.box_gap;
        row_height = std::max(row_height, box.height);
    }
    result.height = y + row_height;
}

/// Corners of the boxes and the size of the drawing.
void place_boxes(const Layers& layers, const std::vector<Band>& bands, LayoutResult& result) {
    result.ranks.assign(layers.rank.begin(), layers.rank.begin() + layers.box_count);
    result.corners.assign(layers.box_count, {});
    for (const auto& row : layers.rows) {
        for (Index v : row) {
            const Band& band = bands[static_cast<std::size_t>(layers.rank[v])];
            result.width = std::max(result.width, layers.x[v] + layers.width[v] / 2);
            if (layers.is_bend(v)) continue;
            result.corners[v] = {layers.x[v] - layers.width[v] / 2,
                                 (band.top + band.bottom - layers.height[v]) / 2};
        }
    }
    result.height = bands.empty() ? 0 : bands.back().bottom;
}

/// Draws the edges, one after the other, along their chains of bends.
class EdgeRouter {
public:
    EdgeRouter(const LayoutInput& input, const LayoutOptions& options, const Layers& layers,
               int tunnel_ranks, const Router& router, LayoutResult& result)
        : input_(input), options_(options), layers_(layers), tunnel_ranks_(tunnel_ranks),
          router_(router), result_(result), chain_(layers.chains.begin()) {}

    void route(Index e) {
        const LayoutEdge& edge = input_.edges[e];
        Chain trunk{e, none, 0, 0, false};
        if (chain_ != layers_.chains.end() && chain_->edge == e && !chain_->backward)
            trunk = *chain_++;
        bool trunk_drawn = false;
        std::uint32_t hidden = 0;
        for (Index t = 0; t < edge.targets.size(); ++t) {
            const LayoutTarget& target = edge.targets[t];
            const int length = layers_.rank[target.box] - layers_.rank[edge.source];
            if (target.box == edge.source) continue;
            if (is_tunnelled(target, length, tunnel_ranks_)) {
                const LayoutPoint border = router_.entry(target.box, target.port);
                result_.stubs.push_back(
                    {e, t, 0, border, {border.x, border.y - options_.rank_gap * 0.45f}});
                ++hidden;
                continue;
            }
            LayoutRoute route{e, t, length < 0, {}};
            if (length > 0)
                forward(route.points, edge, target, static_cast<Index>(length - 1), trunk,
                        trunk_drawn);
            else backward(route.points, e, t);
            result_.routes.push_back(std::move(route));
        }
        if (hidden > 0) {
            const LayoutPoint border = router_.exit(edge.source, edge.port);
            result_.stubs.push_back({e,
                                     LayoutStub::all,
                                     hidden,
                                     border,
                                     {border.x, border.y + options_.rank_gap * 0.45f}});
        }
    }

private:
    /// Over `bends` bends of the trunk: all of it where it is not drawn yet, else from where the
    /// route leaves it.
    void forward(std::vector<LayoutPoint>& points, const LayoutEdge& edge,
                 const LayoutTarget& target, Index bends, const Chain& trunk,
                 bool& trunk_drawn) const {
        if (bends == 0 || (!trunk_drawn && bends == trunk.count)) {
            router_.leave(points, edge.source, edge.port);
            for (Index i = 0; i < bends; ++i) router_.pass(points, trunk.first + i);
            trunk_drawn = trunk_drawn || bends > 0;
        } else {
            const Index bend = trunk.first + bends - 1;
            points.push_back({layers_.x[bend], router_.band(bend).bottom});
        }
        router_.arrive(points, target.box, target.port);
    }

    /// Built downwards, from reader to writer, then turned.
    void backward(std::vector<LayoutPoint>& points, Index e, Index t) {
        const LayoutEdge& edge = input_.edges[e];
        const LayoutTarget& target = edge.targets[t];
        router_.leave(points, target.box, target.port);
        if (chain_ != layers_.chains.end() && chain_->edge == e && chain_->target == t) {
            for (Index i = 0; i < chain_->count; ++i) router_.pass(points, chain_->first + i);
            ++chain_;
        }
        router_.arrive(points, edge.source, edge.port);
        std::reverse(points.begin(), points.end());
    }

    const LayoutInput& input_;
    const LayoutOptions& options_;
    const Layers& layers_;
    int tunnel_ranks_;
    const Router& router_;
    LayoutResult& result_;
    std::vector<Chain>::const_iterator chain_;  // the next one; they lie in the order of the edges
};

}  // namespace

void route_lines(const LayoutInput& input, const LayoutOptions& options, const Layers& layers,
                 int tunnel_ranks, LayoutResult& result) {
    const std::vector<Band> bands = place_bands(layers, options);
    place_boxes(layers, bands, result);
    const Router router(input, layers, bands, result);
    EdgeRouter edges(input, options, layers, tunnel_ranks, router, result);
    for (Index e = 0; e < input.edges.size(); ++e) edges.route(e);
    place_loose(input, options, result);
}

}  // namespace lapidary::layout

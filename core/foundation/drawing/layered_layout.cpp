// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/layered_layout.h>

#include <string>
#include <utility>

#include <lapidary/base/error.h>

#include "drawing/layout_stages.h"

namespace lapidary {
namespace {

void check_input(const LayoutInput& input) {
    auto check = [&](std::uint32_t box, std::size_t edge) {
        if (box < input.boxes.size()) return;
        fail_input("layout edge " + std::to_string(edge) + " names box " + std::to_string(box) +
                   ", but there are only " + std::to_string(input.boxes.size()) + " boxes");
    };
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        check(input.edges[e].source, e);
        for (const LayoutTarget& target : input.edges[e].targets) check(target.box, e);
    }
}

LayoutResult layout_down(const LayoutInput& input, const LayoutOptions& options) {
    LayoutResult result;
    layout::Layers layers;
    result.tunnel_ranks = layout::build_layers(input, options, layout::assign_ranks(input), layers);
    result.bends = layers.size() - layers.box_count;
    options.cancel.throw_if_cancelled();
    result.crossings = layout::order_rows(layers, options);
    layout::assign_coordinates(layers, options);
    options.cancel.throw_if_cancelled();
    layout::route_lines(input, options, layers, result.tunnel_ranks, result);
    if (options.wrap_aspect > 0) {
        const bool down = options.direction == LayoutDirection::down;
        layout::wrap_columns(input, down ? options.wrap_aspect : 1 / options.wrap_aspect, result);
    }
    return result;
}

}  // namespace

LayoutResult layered_layout(const LayoutInput& input, const LayoutOptions& options) {
    check_input(input);
    if (options.direction == LayoutDirection::down) return layout_down(input, options);
    LayoutInput turned = input;
    for (LayoutBox& box : turned.boxes) std::swap(box.width, box.height);
    LayoutResult result = layout_down(turned, options);
    auto turn = [](LayoutPoint& p) { std::swap(p.x, p.y); };
    for (LayoutPoint& corner : result.corners) turn(corner);
    for (LayoutRoute& route : result.routes) {
        for (LayoutPoint& point : route.points) turn(point);
    }
    for (LayoutStub& stub : result.stubs) {
        turn(stub.border);
        turn(stub.tip);
    }
    std::swap(result.width, result.height);
    return result;
}

}  // namespace lapidary

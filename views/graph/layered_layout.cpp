// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/layered_layout.h"

#include <string>
#include <utility>

#include <lapidary/error.h>

#include "graph/layout_stages.h"

namespace lapidary::views {
namespace {

void checkInput(const LayoutInput& input) {
    auto check = [&](std::uint32_t box, std::size_t edge) {
        if (box < input.boxes.size()) return;
        fail_input("layout edge " + std::to_string(edge) + " names box " + std::to_string(box) + ", but there are only " +
                   std::to_string(input.boxes.size()) + " boxes");
    };
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        check(input.edges[e].source, e);
        for (const LayoutTarget& target : input.edges[e].targets) check(target.box, e);
    }
}

LayoutResult layoutDown(const LayoutInput& input, const LayoutOptions& options) {
    LayoutResult result;
    layout::Layers layers;
    result.tunnelRanks = layout::buildLayers(input, options, layout::assignRanks(input), layers);
    result.bends = layers.size() - layers.boxCount;
    options.cancel.throw_if_cancelled();
    result.crossings = layout::orderRows(layers, options);
    layout::assignCoordinates(layers, options);
    options.cancel.throw_if_cancelled();
    layout::routeLines(input, options, layers, result.tunnelRanks, result);
    return result;
}

}  // namespace

LayoutResult layeredLayout(const LayoutInput& input, const LayoutOptions& options) {
    checkInput(input);
    if (options.direction == LayoutDirection::Down) return layoutDown(input, options);
    LayoutInput turned = input;
    for (LayoutBox& box : turned.boxes) std::swap(box.width, box.height);
    LayoutResult result = layoutDown(turned, options);
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

}  // namespace lapidary::views

// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/rounded_pools.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "ops/geometry/window.h"

namespace lapidary {
namespace {

bool is_pool(const Node& node) {
    return node.domain.empty() &&
           (node.op_type == "MaxPool" || node.op_type == "AveragePool" || node.op_type == "LpPool");
}

/// The sizes behind batch and channels; empty where one of them is not known.
Shape spatial_sizes(const Graph& graph, const Node& node) {
    const Type& type = graph.value(node.inputs[0]).type;
    if (!type.shape || type.shape->size() < 3) return {};
    Shape sizes;
    for (std::size_t axis = 2; axis < type.shape->size(); ++axis) {
        const Dim& dim = (*type.shape)[axis];
        if (!dim.is_known() || dim.value() == 0) return {};
        sizes.push_back(dim.value());
    }
    return sizes;
}

}  // namespace

bool rounds_up_for_nothing(const Graph& graph, const Node& node) {
    if (!is_pool(node) || node.inputs.empty() || node.int_attribute("ceil_mode", 0) == 0)
        return false;
    const Shape sizes = spatial_sizes(graph, node);
    if (sizes.empty()) return false;
    try {
        WindowAttributes up = read_window_attributes(node, sizes.size());
        if (up.auto_pad != AutoPad::notset || up.kernel.size() != sizes.size()) return false;
        WindowAttributes down = up;
        down.ceil_mode = false;
        bool drops = false;
        for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
            const WindowAxis rounded = window_axis(up, axis, sizes[axis], up.kernel[axis]),
                             plain = window_axis(down, axis, sizes[axis], up.kernel[axis]);
            if (rounded.output != plain.output) return false;
            const std::int64_t steps =
                sizes[axis] + up.pads_begin[axis] + up.pads_end[axis] - plain.extent();
            drops = drops || steps % up.strides[axis] != 0;
        }
        return drops;
    } catch (const Error&) {  // a node that fails wherever it runs
        return false;
    }
}

}  // namespace lapidary

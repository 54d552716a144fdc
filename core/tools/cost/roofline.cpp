// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/cost/roofline.h>

#include "cost/operator_work.h"
#include "exec/cpu_provider.h"

namespace lapidary {
namespace {

/// Bytes that a node moves. Of tables from which it reads rows, only the rows count.
double bytes_of(const Node& node, const NodeSizes& sizes) {
    if (touches_no_data(node)) return 0;
    if (!picks_elements(node)) {
        double bytes = sizes.bytes_written();
        for (std::size_t i = 0; i < sizes.inputs.size(); ++i) {
            const bool again =
                std::find(node.inputs.begin(), node.inputs.begin() + static_cast<std::ptrdiff_t>(i),
                          node.inputs[i]) != node.inputs.begin() + static_cast<std::ptrdiff_t>(i);
            if (sizes.inputs[i] && !again) bytes += sizes.inputs[i]->bytes();
        }
        return bytes;
    }
    const double indices =
        node.op_type.starts_with("Gather") && sizes.input(1) ? sizes.input(1)->bytes() : 0;
    // of words, positions and segments
    const double rows = node.op_type.find("Embed") != std::string::npos ? 3 : 1;
    return sizes.bytes_written() + (sizes.output(0) ? rows * sizes.output(0)->bytes() : 0) +
           indices;
}

std::optional<NodeWork> work_with(const Node& node, const NodeSizes& sizes) {
    NodeWork work;
    work.bytes = bytes_of(node, sizes);
    if (const auto product = product_operations(node, sizes)) {
        work.flop = product->count;
        work.integer = product->integer;
        work.product = product->integer ? DType::i8
                       : sizes.input(0) ? sizes.input(0)->dtype
                                        : DType::undefined;
    } else if (const auto operations = element_operations(node, sizes)) {
        work.flop = *operations;
    } else {
        return std::nullopt;
    }
    return work;
}

/// Sets the peaks of the device that ran the node, if they are known.
void put_under(RooflinePoint& p, const Roofs& roofs) {
    if (p.provider.empty() || p.provider == cpu_provider_name) {
        p.roof_gops = p.work.integer && roofs.machine.int8_gops > 0 ? roofs.machine.int8_gops
                                                                    : roofs.machine.gflops;
        p.roof_gb_per_s = roofs.machine.gb_per_s;
        return;
    }
    const DevicePeak* const device = roofs.of(p.provider);
    if (!device) return;
    const ArithmeticPeak* const arithmetic = p.work.product == DType::undefined
                                                 ? device->of_others()
                                                 : device->of_product(p.work.product);
    if (!arithmetic) return;
    p.arithmetic = arithmetic->name;
    p.roof_gops = arithmetic->gops;
    p.roof_gb_per_s = device->gb_per_s;
}

}  // namespace

std::optional<NodeWork> work_of(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const auto sizes = sizes_of(graph, node);
    return sizes ? work_with(node, *sizes) : std::nullopt;
}

std::optional<NodeWork> work_of(const Graph& graph, NodeId id, std::string_view recorded_shapes) {
    const Node& node = graph.node(id);
    const auto sizes = recorded_sizes(node, recorded_shapes);
    return sizes ? work_with(node, *sizes) : work_of(graph, id);
}

const DevicePeak* Roofs::of(std::string_view provider) const {
    const auto found = std::ranges::find(devices, provider, &DevicePeak::provider);
    return found == devices.end() ? nullptr : &*found;
}

std::vector<RooflinePoint> roofline(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                    const Roofs& roofs) {
    std::vector<RooflinePoint> points;
    for (const NodeTotal& total : nodes) {
        if (!total.node || !executed.is_alive(total.node) || total.ms <= 0) continue;
        const auto work = work_of(executed, total.node, total.shapes);
        if (!work || work->bytes <= 0) continue;
        RooflinePoint p;
        p.node = total.node;
        p.name = total.name;
        p.op = total.op;
        p.provider = total.provider;
        p.work = *work;
        p.ms = total.ms;
        p.flop_per_byte = work->flop / work->bytes;
        p.gflops = work->flop / total.ms / 1e6;
        p.gb_per_s = work->bytes / total.ms / 1e6;
        put_under(p, roofs);
        if (p.roof_gops <= 0 || p.roof_gb_per_s <= 0) continue;
        const double of_arithmetic = p.gflops / p.roof_gops,
                     of_memory = p.gb_per_s / p.roof_gb_per_s;
        p.from_cache = of_memory > 1;
        // The lower roof is the one that the node is nearer to.
        p.memory_bound = !p.from_cache && of_memory >= of_arithmetic;
        p.share_of_peak = std::clamp(
            p.from_cache && work->flop > 0 ? of_arithmetic : std::max(of_arithmetic, of_memory),
            0.0, 1.0);
        points.push_back(std::move(p));
    }
    return points;
}

std::optional<double> share_of_peak(const std::vector<RooflinePoint>& points, std::string_view op) {
    double taken = 0, needed = 0;
    for (const RooflinePoint& p : points)
        if (op.empty() || p.op == op) taken += p.ms, needed += p.ms * p.share_of_peak;
    if (taken <= 0) return std::nullopt;
    return needed / taken;
}

}  // namespace lapidary

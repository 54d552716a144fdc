// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/placement_bytes.h"

namespace lapidary::app {

// Bindings to all members: a new one has to be added before this compiles.
void write_placement(ByteWriter& out, const PlacementReport& placement) {
    const auto& [nodes, islands, copies] = placement;
    out.number(std::uint64_t(nodes.size()));
    for (const NodePlacement& placed : nodes) {
        const auto& [node, name, op, provider, island, is_shape_computation, reasons] = placed;
        out.number(node.index);
        for (const std::string* text : {&name, &op, &provider}) out.text(*text);
        out.number(std::uint64_t(island));
        out.number(std::uint8_t(is_shape_computation));
        out.number(std::uint64_t(reasons.size()));
        for (const auto& [asked, reason] : reasons) {
            out.text(asked);
            out.text(reason);
        }
    }
    out.number(std::uint64_t(islands.size()));
    for (const PlacementIsland& island : islands) {
        const auto& [provider, count, gain_ns, copies_ns] = island;
        out.text(provider);
        out.number(std::uint64_t(count));
        out.number(gain_ns);
        out.number(copies_ns);
    }
    out.number(std::uint64_t(copies.size()));
    for (const PlannedCopy& copy : copies) {
        const auto& [node, value, from, to, cause, bytes] = copy;
        out.number(node.index);
        for (const std::string* text : {&value, &from, &to, &cause}) out.text(*text);
        out.number(bytes);
    }
}

PlacementReport read_placement(ByteReader& in) {
    PlacementReport placement;
    for (std::size_t n = in.count(); n > 0; --n) {
        NodePlacement& node = placement.nodes.emplace_back();
        node.node = NodeId(in.number<std::uint32_t>());
        for (std::string* text : {&node.name, &node.op, &node.provider}) *text = in.text();
        node.island = static_cast<std::size_t>(in.number<std::uint64_t>());
        node.is_shape_computation = in.number<std::uint8_t>() != 0;
        for (std::size_t more = in.count(); more > 0; --more) {
            PlacementReason& reason = node.reasons.emplace_back();
            reason.provider = in.text();
            reason.reason = in.text();
        }
    }
    for (std::size_t n = in.count(); n > 0; --n) {
        PlacementIsland& island = placement.islands.emplace_back();
        island.provider = in.text();
        island.nodes = static_cast<std::size_t>(in.number<std::uint64_t>());
        island.gain_ns = in.number<double>();
        island.copies_ns = in.number<double>();
    }
    for (std::size_t n = in.count(); n > 0; --n) {
        PlannedCopy& copy = placement.copies.emplace_back();
        copy.node = NodeId(in.number<std::uint32_t>());
        for (std::string* text : {&copy.value, &copy.from, &copy.to, &copy.cause})
            *text = in.text();
        copy.bytes = in.number<std::int64_t>();
    }
    return placement;
}

}  // namespace lapidary::app

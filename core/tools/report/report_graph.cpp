// SPDX-License-Identifier: Apache-2.0
#include "report/report_graph.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <lapidary/graph/layered_layout.h>
#include <lapidary/ops/operator_family.h>

#include "graph/graph_folding.h"
#include "graph/node_text.h"
#include "report/report_tables.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_boxes = 20'000;  // of all drawings together
constexpr std::size_t most_ends = 40;       // lines into and out of a group that are drawn
constexpr std::uint32_t nowhere = 0xffffffffu;
constexpr float box_height = 26, two_lines = 40;

enum BoxKind { node_box, group_box, input_box, output_box, entry_box, exit_box };

/// Constant nodes are like weights: they are listed with the node that reads them.
bool is_drawn(const Node& node) {
    return !(node.op_type == "Constant" && node.domain.empty() && node.inputs.empty());
}

float text_width(std::string_view text, float per_character) {
    return static_cast<float>(std::min<std::size_t>(text.size(), 30)) * per_character + 22;
}

std::string last_part(const std::string& name) { return name.substr(name.find_last_of('/') + 1); }

class GraphWriter {
public:
    GraphWriter(const ReportContent& content, const ReportSide& side, StringTable& strings)
        : original_(content.original.get()), strings_(strings) {
        if (!side.profile) return;
        for (const NodeTotal& total : summarize(*side.profile).nodes)
            if (total.node) totals_.emplace(total.node, total);
    }

    Json write(const Graph& graph) {
        add_graph(graph, "Model", -1, true);
        return {{"drawings", std::move(drawings_)},
                {"nodes", std::move(nodes_)},
                {"left_out", left_out_}};
    }

private:
    struct Box {
        BoxKind kind = node_box;
        Json what;
        std::string label;  // of groups that are not drawn
        float width = 0, height = box_height;
    };

    /// What one drawing is made from.
    struct Drawing {
        std::vector<Box> boxes;
        LayoutInput input;
        std::unordered_map<NodeId, std::uint32_t> box_of;
        std::unordered_map<ValueId, std::uint32_t> edge_of;
        std::vector<ValueId> tensor_of_edge;
        std::size_t ends = 0;
    };

    static std::uint32_t add_box(Drawing& drawing, Box box, LayoutPin pin = LayoutPin::free) {
        drawing.input.boxes.push_back({box.width, box.height, pin});
        drawing.boxes.push_back(std::move(box));
        return static_cast<std::uint32_t>(drawing.boxes.size() - 1);
    }

    std::size_t reserve_drawing(const std::string& title, std::ptrdiff_t parent) {
        drawings_.push_back({{"title", strings_(shortened(title, 120))}, {"parent", parent}});
        return drawings_.size() - 1;
    }

    std::ptrdiff_t add_graph(const Graph& graph, const std::string& title, std::ptrdiff_t parent,
                             bool is_main) {
        std::vector<NodeId> nodes;
        for (const NodeId id : graph.nodes())
            if (is_drawn(graph.node(id))) nodes.push_back(id);
        if (boxes_ + nodes.size() > most_boxes && !is_main) {
            left_out_ += nodes.size();
            return -1;
        }
        return add_group(graph, fold_graph(graph, nodes), title, parent, is_main, true);
    }

    /// The number of the drawing; -1 when the page has enough already.
    std::ptrdiff_t add_group(const Graph& graph, const FoldedGroup& group, const std::string& title,
                             std::ptrdiff_t parent, bool is_main, bool is_whole) {
        if (boxes_ > 0 && boxes_ + group.nodes.size() + group.groups.size() > most_boxes) {
            left_out_ += group.all.size();
            return -1;
        }
        boxes_ += group.nodes.size() + group.groups.size();
        const std::size_t number = reserve_drawing(title, parent);
        Drawing drawing;
        for (const NodeId id : group.nodes)
            drawing.box_of[id] =
                add_node(graph, id, drawing, static_cast<std::ptrdiff_t>(number), is_main);
        for (const FoldedGroup& inner : group.groups) {
            Box box{group_box,
                    add_group(graph, inner, inner.label, static_cast<std::ptrdiff_t>(number),
                              is_main, false),
                    inner.label, std::max(text_width(inner.label, 7.2f), 90.0f), two_lines};
            const std::uint32_t index = add_box(drawing, std::move(box));
            for (const NodeId id : inner.all) drawing.box_of[id] = index;
        }
        connect(graph, group, drawing, is_whole);
        lay_out(graph, drawing, drawings_[number]);
        return static_cast<std::ptrdiff_t>(number);
    }

    std::uint32_t add_node(const Graph& graph, NodeId id, Drawing& drawing, std::ptrdiff_t number,
                           bool is_main) {
        const Node& node = graph.node(id);
        std::string op = node.qualified_op();
        Json ms, share, kernel = strings_("");
        if (is_main)
            if (const auto found = totals_.find(id); found != totals_.end()) {
                op = found->second.op;  // of fused steps the operators, in words
                ms = std::round(found->second.ms * 1e5) / 1e5;
                share = std::round(found->second.share * 1e5) / 1e5;
                kernel = strings_(found->second.kernel);
            }
        Box box{node_box,
                nodes_.size(),
                {},
                std::max(std::max(text_width(without_domain(op), 8.4f),
                                  text_width(last_part(node.name), 6.2f)),
                         92.0f),
                two_lines};
        const std::size_t index = nodes_.size();
        nodes_.push_back(
            {strings_(shortened(node.name, 240)), strings_(shortened(op, 120)),
             strings_(name_of(family_of(op))), ms, share, number, drawing.boxes.size(),
             strings_(values_text(graph, node.inputs)), strings_(values_text(graph, node.outputs)),
             strings_(attributes_text(node)), strings_(origin_names(node, original_)), kernel, -1});
        for (const Attribute& attribute : node.attributes)
            if (const auto* body = std::get_if<GraphPtr>(&attribute.value); body && *body)
                nodes_[index].back() = add_graph(
                    **body, op + " " + last_part(node.name) + ": " + attribute.name, number, false);
        return add_box(drawing, std::move(box));
    }

    static void add_line(Drawing& drawing, ValueId value, std::uint32_t from, std::uint32_t to) {
        if (from == to) return;
        const auto [found, fresh] = drawing.edge_of.try_emplace(
            value, static_cast<std::uint32_t>(drawing.input.edges.size()));
        if (fresh) {
            drawing.input.edges.push_back({from, 0.5f, {}});
            drawing.tensor_of_edge.push_back(value);
        }
        LayoutEdge& edge = drawing.input.edges[found->second];
        if (std::ranges::none_of(edge.targets,
                                 [&](const LayoutTarget& target) { return target.box == to; }))
            edge.targets.push_back({to, 0.5f});
    }

    std::uint32_t outside_end(const Graph& graph, Drawing& drawing, ValueId value, BoxKind kind) {
        if (++drawing.ends > most_ends) return nowhere;
        const std::string name = shortened(last_part(graph.value(value).name), 40);
        return add_box(drawing,
                       {kind, strings_(name), {}, std::max(text_width(name, 6.2f), 40.0f), 20},
                       kind == entry_box ? LayoutPin::first : LayoutPin::last);
    }

    void connect(const Graph& graph, const FoldedGroup& group, Drawing& drawing, bool is_whole) {
        // boxes of values that come from elsewhere
        std::unordered_map<ValueId, std::uint32_t> sources;
        if (is_whole)
            for (const ValueId id : graph.inputs()) {
                const Value& value = graph.value(id);
                if (value.constant) continue;
                const std::string name = shortened(value.name, 60);
                sources[id] =
                    add_box(drawing, {input_box,
                                      strings_(name + "\n" + shortened(to_string(value.type), 60)),
                                      {},
                                      std::max(text_width(name, 7.2f), 90.0f),
                                      two_lines});
            }
        const auto source_of = [&](ValueId id) -> std::uint32_t {
            if (const auto found = sources.find(id); found != sources.end()) return found->second;
            const Value& value = graph.value(id);
            std::uint32_t box = nowhere;
            if (value.kind == ValueKind::node_output) {
                if (const auto found = drawing.box_of.find(value.producer);
                    found != drawing.box_of.end())
                    box = found->second;
                else if (is_drawn(graph.node(value.producer)) && !is_whole)
                    box = outside_end(graph, drawing, id, entry_box);
            } else if (value.kind == ValueKind::captured ||
                       (value.kind == ValueKind::input && !is_whole && !value.constant)) {
                box = outside_end(graph, drawing, id, entry_box);
            }
            return sources[id] = box;
        };
        for (const NodeId id : group.all) {
            const std::uint32_t reader = drawing.box_of.at(id);
            const Node& node = graph.node(id);
            for (const auto* list : {&node.inputs, &node.captures})
                for (const ValueId value : *list)
                    if (value)
                        if (const std::uint32_t from = source_of(value); from != nowhere)
                            add_line(drawing, value, from, reader);
        }
        if (is_whole)
            for (const ValueId id : graph.outputs()) {
                const Value& value = graph.value(id);
                const std::string name = shortened(value.name, 60);
                const std::uint32_t box =
                    add_box(drawing, {output_box,
                                      strings_(name + "\n" + shortened(to_string(value.type), 60)),
                                      {},
                                      std::max(text_width(name, 7.2f), 90.0f),
                                      two_lines});
                if (const std::uint32_t from = source_of(id); from != nowhere)
                    add_line(drawing, id, from, box);
            }
        else leave_group(graph, group, drawing);
    }

    /// Lines to readers outside of the group end in one box per tensor.
    void leave_group(const Graph& graph, const FoldedGroup& group, Drawing& drawing) {
        for (const NodeId id : group.all)
            for (const ValueId output : graph.node(id).outputs) {
                if (!output) continue;
                const Value& value = graph.value(output);
                const auto is_outside = [&](NodeId reader) {
                    return !drawing.box_of.contains(reader);
                };
                if (value.output_uses == 0 &&
                    std::ranges::none_of(value.uses, is_outside, &Use::node) &&
                    std::ranges::none_of(value.captured_by, is_outside))
                    continue;
                const std::uint32_t box = outside_end(graph, drawing, output, exit_box);
                if (box != nowhere) add_line(drawing, output, drawing.box_of.at(id), box);
            }
    }

    /// Lines leave and enter a box side by side, in the order they are met.
    static void spread_ports(LayoutInput& input) {
        std::vector<std::uint32_t> out(input.boxes.size(), 0), in(input.boxes.size(), 0),
            placed_out(out), placed_in(in);
        for (const LayoutEdge& edge : input.edges) {
            ++out[edge.source];
            for (const LayoutTarget& target : edge.targets) ++in[target.box];
        }
        for (LayoutEdge& edge : input.edges) {
            edge.port = static_cast<float>(++placed_out[edge.source]) /
                        static_cast<float>(out[edge.source] + 1);
            for (LayoutTarget& target : edge.targets)
                target.port = static_cast<float>(++placed_in[target.box]) /
                              static_cast<float>(in[target.box] + 1);
        }
    }

    void lay_out(const Graph& graph, Drawing& drawing, Json& json) {
        spread_ports(drawing.input);
        LayoutOptions options;
        options.rank_gap = 30;
        const LayoutResult result = layered_layout(drawing.input, options);
        json["w"] = std::lround(result.width);
        json["h"] = std::lround(result.height);
        Json boxes = Json::array(), lines = Json::array();
        for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
            const Box& box = drawing.boxes[i];
            Json row = {std::lround(result.corners[i].x),
                        std::lround(result.corners[i].y),
                        std::lround(box.width),
                        std::lround(box.height),
                        int{box.kind},
                        box.what};
            if (box.kind == group_box) row.push_back(strings_(shortened(box.label, 120)));
            boxes.push_back(std::move(row));
        }
        for (const LayoutRoute& route : result.routes) {
            const LayoutEdge& edge = drawing.input.edges[route.edge];
            const Value& value = graph.value(drawing.tensor_of_edge[route.edge]);
            Json line = {
                edge.source, edge.targets[route.target].box,
                strings_(shortened(value.name, 120) + ": " + shortened(to_string(value.type), 80))};
            for (const LayoutPoint& point : route.points) {
                line.push_back(std::lround(point.x));
                line.push_back(std::lround(point.y));
            }
            lines.push_back(std::move(line));
        }
        for (const LayoutStub& stub : result.stubs) {  // ends of lines that are too long to draw
            const LayoutEdge& edge = drawing.input.edges[stub.edge];
            const Value& value = graph.value(drawing.tensor_of_edge[stub.edge]);
            const std::uint32_t to =
                stub.target == LayoutStub::all ? edge.source : edge.targets[stub.target].box;
            lines.push_back(
                {edge.source, to,
                 strings_(shortened(value.name, 120) + ": " + shortened(to_string(value.type), 80)),
                 std::lround(stub.border.x), std::lround(stub.border.y), std::lround(stub.tip.x),
                 std::lround(stub.tip.y)});
        }
        json["boxes"] = std::move(boxes);
        json["lines"] = std::move(lines);
    }

    const Model* original_;
    StringTable& strings_;
    std::unordered_map<NodeId, NodeTotal> totals_;
    Json drawings_ = Json::array(), nodes_ = Json::array();
    std::size_t boxes_ = 0, left_out_ = 0;
};

}  // namespace

Json graph_data(const ReportContent& content, const ReportSide& side, StringTable& strings) {
    if (!side.model) return nullptr;
    return GraphWriter(content, side, strings).write(executed_graph(side));
}

}  // namespace lapidary

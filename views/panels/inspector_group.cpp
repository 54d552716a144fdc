// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/inspector_group.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <lapidary/tensor/dtype.h>

#include "panels/inspector_html.h"
#include "panels/inspector_panel.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

using H = InspectorHtml;
constexpr std::size_t most_ends = 24, most_operators = 16, most_slow = 5;
constexpr std::int64_t longest_bar = 60;  // pixels, as of the model's operators

struct OperatorUse {
    std::int64_t count = 0;
    std::vector<NodeId> nodes;  // those of the main graph, which can be marked
};

/// What of a graph is in the group.
struct Held {
    std::vector<OutlineIndex> leaves;  // nodes, at all depths
    std::vector<bool> contains;        // by leaf of the outline
    std::unordered_map<std::string, OperatorUse> operators;
    std::int64_t parameters = 0;
    std::uint64_t weightBytes = 0;
    std::uint64_t resultBytes = 0;  // of all results whose sizes are known
    std::int64_t unknownResults = 0;
};

void collect(const GraphOutline& outline, OutlineIndex group, Held& held) {
    const OutlineGroup& all = outline.groups()[group];
    for (const OutlineIndex leaf : all.leaves) held.contains[leaf] = true;
    for (const OutlineIndex inner : all.groups) collect(outline, inner, held);
}

void countResult(const Value& value, Held& held) {
    constexpr std::int64_t most = std::int64_t{1} << 50;  // elements that a file may claim and mean
    const Type& type = value.type;
    bool isKnown = type.is_tensor() && type.is_static() && type.dtype != DType::undefined;
    std::int64_t elements = 1;
    if (isKnown)
        for (const std::int64_t size : type.static_shape()) {
            isKnown = isKnown && size >= 0 && (size == 0 || elements <= most / size);
            if (isKnown) elements *= size;
        }
    if (isKnown) held.resultBytes += storage_bytes(type.dtype, elements);
    else ++held.unknownResults;
}

Held holdingsOf(const GraphOutline& outline, OutlineIndex group) {
    Held held;
    held.contains.assign(outline.leaves().size(), false);
    collect(outline, group, held);
    std::unordered_set<const Value*> counted;  // a weight that several nodes read counts once
    for (OutlineIndex index = 0; index < held.contains.size(); ++index) {
        const OutlineLeaf& leaf = outline.leaves()[index];
        if (!held.contains[index] || leaf.kind != OutlineLeaf::Kind::Node) continue;
        held.leaves.push_back(index);
        const Graph& graph = *outline.places()[leaf.place].graph;
        const Node& node = graph.node(leaf.node);
        OperatorUse& use = held.operators[node.qualified_op()];
        ++use.count;
        if (leaf.place == 0) use.nodes.push_back(leaf.node);
        for (const ValueId input : node.inputs) {
            if (!input) continue;
            const Value& value = graph.value(input);
            if (!value.is_constant() || !value.constant || !counted.insert(&value).second) continue;
            held.parameters += value.constant->size();
            held.weightBytes += value.constant->byte_size();
        }
        for (const ValueId output : node.outputs)
            if (output) countResult(graph.value(output), held);
    }
    return held;
}

/// Tensors that come from outside, or go there.
std::vector<OutlineIndex> crossing(const GraphOutline& outline, const Held& held, bool inwards) {
    std::vector<OutlineIndex> found;
    for (OutlineIndex index = 0; index < outline.tensors().size(); ++index) {
        const OutlineTensor& tensor = outline.tensors()[index];
        if (held.contains[tensor.producer] == inwards) continue;
        if (std::ranges::any_of(tensor.readers, [&](const OutlineReader& reader) {
                return held.contains[reader.leaf] == inwards;
            }))
            found.push_back(index);
    }
    return found;
}

void addEnds(H& html, const QString& heading, const GraphOutline& outline,
             const std::vector<OutlineIndex>& tensors) {
    html.heading(heading);
    for (std::size_t i = 0; i < std::min(tensors.size(), most_ends); ++i) {
        const OutlineTensor& tensor = outline.tensors()[tensors[i]];
        const Value& value = outline.valueOf(tensor);
        const GraphPtr body = tensor.place == 0 ? nullptr : outline.places()[tensor.place].graph;
        html.paragraph(html.link(H::text(value.name, 80), {.value = tensor.value, .body = body}) +
                       QStringLiteral("<br>") +
                       html.muted(H::escape(H::text(to_string(value.type), 120))));
    }
    if (tensors.size() > most_ends)
        html.paragraph(html.muted(InspectorPanel::tr(
            "… and %n more", nullptr, static_cast<int>(tensors.size() - most_ends))));
    if (tensors.empty()) html.paragraph(html.muted(InspectorPanel::tr("None.")));
}

void addOperators(H& html, const Held& held) {
    html.heading(InspectorPanel::tr("Operators"));
    std::vector<std::pair<std::string, OperatorUse>> operators(held.operators.begin(),
                                                               held.operators.end());
    std::ranges::sort(operators, [](const auto& a, const auto& b) {
        return a.second.count != b.second.count ? a.second.count > b.second.count
                                                : a.first < b.first;
    });
    for (std::size_t i = 0; i < std::min(operators.size(), most_operators); ++i) {
        const auto& [name, use] = operators[i];
        const QString op = H::text(name), number = formatCount(use.count);
        const bool canMark = static_cast<std::int64_t>(use.nodes.size()) == use.count;
        const auto length = static_cast<int>(
            std::max<std::int64_t>(2, longest_bar * use.count / operators.front().second.count));
        html.row(withoutDomain(op).left(H::longestOperator),
                 H::bar(length, operatorColor(op, html.palette()),
                        canMark ? html.link(number, {InspectorRequest::Kind::mark, {}, use.nodes})
                                : number));
    }
    if (operators.size() > most_operators)
        html.paragraph(html.muted(InspectorPanel::tr(
            "… and %n more kinds", nullptr, static_cast<int>(operators.size() - most_operators))));
}

/// The groups from the model inwards to this one: "Model › encoder › layer.3". `link` makes the
/// text of one that can be gone to.
template <typename Link>
QString wayTo(const GraphOutline& outline, OutlineIndex group, Link link) {
    QStringList way;
    for (; group != noIndex; group = outline.groups()[group].parent)
        way.prepend(outline.groups()[group].kind == OutlineGroup::Kind::Root
                        ? H::escape(InspectorPanel::tr("Model"))
                        : link(group));
    return way.join(QStringLiteral(" › "));
}

InspectorRequest requestFor(OutlineIndex group) {
    return {.kind = InspectorRequest::Kind::showGroup, .group = group};
}

void addPlace(H& html, const GraphOutline& outline, OutlineIndex group) {
    html.row(InspectorPanel::tr("In"),
             wayTo(outline, outline.groups()[group].parent, [&](OutlineIndex outer) {
                 return html.link(outline.groups()[outer].label, requestFor(outer));
             }));
}

/// The groups directly inside it, in the order of the drawing, with what they hold.
void addInner(H& html, const GraphOutline& outline, OutlineIndex group) {
    const std::vector<OutlineIndex>& inner = outline.groups()[group].groups;
    if (inner.empty()) return;
    html.heading(InspectorPanel::tr("Groups in it"));
    for (std::size_t i = 0; i < std::min(inner.size(), most_ends); ++i)
        html.paragraph(html.link(outline.groups()[inner[i]].label, requestFor(inner[i])) + u' ' +
                       html.muted(H::escape(outline.countText(inner[i]))));
    if (inner.size() > most_ends)
        html.paragraph(html.muted(InspectorPanel::tr("… and %n more", nullptr,
                                                     static_cast<int>(inner.size() - most_ends))));
}

/// The time of the group is the sum that its box shows; then its slowest nodes.
void addTime(H& html, const GroupContent& content, const Held& held) {
    const GraphOutline& outline = *content.outline;
    std::vector<std::pair<double, OutlineIndex>> times;
    double sum = 0;
    for (const OutlineIndex leaf : held.leaves) {
        if (leaf >= content.times->byLeaf.size() || std::isnan(content.times->byLeaf[leaf]))
            continue;
        const double ms = content.times->byLeaf[leaf];
        sum += ms;
        times.emplace_back(ms, leaf);
    }
    if (times.empty()) {
        html.paragraph(html.muted(
            InspectorPanel::tr("None of its nodes ran: their results were known before.")));
        return;
    }
    const double wall = content.run ? content.run->summary.wall_ms : 0;
    html.row(
        InspectorPanel::tr("Time"),
        QStringLiteral("<b>%1</b> %2")
            .arg(formatMilliseconds(sum),
                 wall > 0
                     ? html.muted(
                           InspectorPanel::tr("(%1 of the run)").arg(formatPercent(sum / wall)))
                     : QString()));
    html.paragraph(html.muted(H::escape(content.times->title)));
    std::ranges::stable_sort(times, std::ranges::greater(),
                             [](const auto& entry) { return entry.first; });
    if (times.size() > most_slow) times.resize(most_slow);
    html.heading(InspectorPanel::tr("Slowest nodes"));
    for (const auto& [ms, index] : times) {
        const OutlineLeaf& leaf = outline.leaves()[index];
        const GraphPtr body = leaf.place == 0 ? nullptr : outline.places()[leaf.place].graph;
        html.row(formatMilliseconds(ms), html.link(H::text(outline.nodeOf(leaf).describe(), 60),
                                                   {.node = leaf.node, .body = body}));
    }
}

void addCost(H& html, const app::Document& document, const GroupContent& content,
             const Held& held) {
    html.heading(InspectorPanel::tr("What does it cost"));
    html.row(
        InspectorPanel::tr("Weights"),
        held.parameters > 0
            ? QStringLiteral("%1 %2").arg(
                  formatBytes(held.weightBytes),
                  html.muted(
                      InspectorPanel::tr("%1 parameters").arg(formatCompactCount(held.parameters))))
            : html.muted(InspectorPanel::tr("none")));
    QString results = formatBytes(held.resultBytes);
    if (held.unknownResults > 0)
        results += u' ' + html.muted(InspectorPanel::tr("and %n of unknown size", nullptr,
                                                        static_cast<int>(held.unknownResults)));
    html.row(InspectorPanel::tr("Results"), results);
    html.paragraph(html.muted(InspectorPanel::tr(
        "Results are all that its nodes compute in a run, one after the other. How much of that is "
        "held at once is on the Memory page.")));
    if (content.times) return addTime(html, content, held);
    html.paragraph(
        html.muted(document.faults.empty()
                       ? InspectorPanel::tr("Not measured yet. Run the model (F5) to see its time.")
                       : InspectorPanel::tr("The model is not valid and cannot run.")));
}

}  // namespace

InspectorText describeGroup(const app::Document& document, const GroupContent& content,
                            const QPalette& palette) {
    const GraphOutline& outline = *content.outline;
    const Held held = holdingsOf(outline, content.group);
    H html(palette);
    html.title(outline.groups()[content.group].label, InspectorPanel::tr("Group"));
    html.heading(InspectorPanel::tr("What is it"));
    html.row(InspectorPanel::tr("Holds"), H::escape(outline.countText(content.group)));
    addPlace(html, outline, content.group);
    addInner(html, outline, content.group);
    addEnds(html, InspectorPanel::tr("Inputs"), outline, crossing(outline, held, true));
    addEnds(html, InspectorPanel::tr("Outputs"), outline, crossing(outline, held, false));
    addOperators(html, held);
    addCost(html, document, content, held);
    return html.finish();
}

void addWayTo(InspectorText& text, const GroupContent& content) {
    const GraphOutline& outline = *content.outline;
    if (outline.groups()[content.group].kind == OutlineGroup::Kind::Root) return;
    const QString way = wayTo(outline, content.group, [&](OutlineIndex group) {
        text.requests.push_back(requestFor(group));
        return QStringLiteral("<a href='request:%1'>%2</a>")
            .arg(text.requests.size() - 1)
            .arg(H::escape(outline.groups()[group].label));
    });
    text.html.prepend(QStringLiteral("<div>%1</div>").arg(way));
}

}  // namespace lapidary::views

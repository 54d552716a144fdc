// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector's text about a node.
#include <algorithm>

#include <lapidary/graph/node_source.h>

#include "canvas/graph_outline.h"
#include "panels/inspector_html.h"
#include "panels/inspector_panel.h"
#include "widgets/text/quantity.h"
#include "workbench/document/symbolic_dimensions.h"

namespace lapidary::views {
namespace {

using H = InspectorHtml;
constexpr int mostPorts = 48, mostAttributes = 80, mostReaders = 6, mostOrigins = 12,
              mostPasses = 10;
constexpr const char* editPass = "edit";  // Rewrite::pass of the user's edits

QString valueLine(H& html, const Graph& graph, const GraphPtr& body, ValueId id) {
    const Value& value = graph.value(id);
    QString line = html.link(H::text(value.name, 90), {.value = id, .body = body});
    line += QStringLiteral("<br>") + html.muted(H::escape(H::text(to_string(value.type), 120)));
    return line;
}

void addPorts(H& html, const Graph& graph, const GraphPtr& body, const Node& node) {
    html.heading(InspectorPanel::tr("Inputs"));
    int shown = 0;
    for (ValueId v : node.inputs) {
        if (++shown > mostPorts) {
            html.paragraph(html.muted(InspectorPanel::tr(
                "… and %n more", nullptr, static_cast<int>(node.inputs.size()) - mostPorts)));
            break;
        }
        if (!v) {
            html.row(QString::number(shown - 1), html.muted(InspectorPanel::tr("left out")));
            continue;
        }
        const Value& value = graph.value(v);
        QString line = valueLine(html, graph, body, v);
        if (value.is_constant()) {
            line += QStringLiteral(" · ") + html.muted(InspectorPanel::tr("constant"));
            if (value.constant && value.constant->size() <= 8)
                line += QStringLiteral(" = ") + H::escape(firstValues(*value.constant, 8));
        } else if (value.kind == ValueKind::node_output) {
            const Node& producer = graph.node(value.producer);
            line += QStringLiteral(" · ") + html.muted(InspectorPanel::tr("from")) + u' ' +
                    html.link(H::text(producer.qualified_op(), 60),
                              {.node = producer.id, .body = body});
        } else {
            line +=
                QStringLiteral(" · ") + html.muted(value.kind == ValueKind::captured
                                                       ? InspectorPanel::tr("from the graph around")
                                                       : InspectorPanel::tr("graph input"));
        }
        html.row(QString::number(shown - 1), line);
    }
    if (node.inputs.empty()) html.paragraph(html.muted(InspectorPanel::tr("None.")));

    html.heading(InspectorPanel::tr("Outputs"));
    shown = 0;
    for (ValueId v : node.outputs) {
        if (++shown > mostPorts) {
            html.paragraph(html.muted(InspectorPanel::tr(
                "… and %n more", nullptr, static_cast<int>(node.outputs.size()) - mostPorts)));
            break;
        }
        if (!v) {
            html.row(QString::number(shown - 1), html.muted(InspectorPanel::tr("not wanted")));
            continue;
        }
        const Value& value = graph.value(v);
        QString line = valueLine(html, graph, body, v);
        int readers = 0;
        for (const Use& use : value.uses) {
            if (++readers > mostReaders) {
                line += html.muted(InspectorPanel::tr(", … %1 in all").arg(value.uses.size()));
                break;
            }
            line +=
                (readers == 1 ? QStringLiteral(" · ") + html.muted(InspectorPanel::tr("to")) + u' '
                              : QStringLiteral(", ")) +
                html.link(H::text(graph.node(use.node).qualified_op(), 60),
                          {.node = use.node, .body = body});
        }
        if (value.output_uses > 0)
            line += QStringLiteral(" · ") + html.muted(InspectorPanel::tr("graph output"));
        html.row(QString::number(shown - 1), line);
    }
}

/// Adds where the node ran; nothing if everything ran on the CPU.
void addPlacement(H& html, const app::RunRecord& run, NodeId id) {
    if (run.placement.uses_cpu_alone()) return;
    for (const NodePlacement& placed : run.placement.nodes) {
        if (placed.node != id) continue;
        html.row(InspectorPanel::tr("Runs on"), H::escape(placed.provider));
        for (const auto& [provider, reason] : placed.reasons)
            html.row(InspectorPanel::tr("Not on %1").arg(H::escape(provider)),
                     html.muted(InspectorPanel::tr("because %1").arg(H::escape(reason))));
        return;
    }
}

/// Adds the other nodes that the kernel computes, because its time is that of all of them.
void addSharers(H& html, const app::RunRecord& run, NodeId ran) {
    if (!run.executed || !run.executed->graph.is_alive(ran)) return;
    const Node& node = run.executed->graph.node(ran);
    if (node.origins.size() < 2) return;
    html.row(InspectorPanel::tr("Together"),
             InspectorPanel::tr("%1 nodes of the model as opened in one kernel, %2")
                 .arg(formatCount(qint64(node.origins.size())), H::escape(node.op_type)));
}

void addCost(H& html, const app::Document& document, const RanNode& ran, const GraphPtr& body) {
    const app::RunRecord* run = ran.run;
    const NodeId id = ran.node;
    html.heading(InspectorPanel::tr("What does it cost"));
    const NodeTotal* total = nullptr;
    if (run && !body) {
        const auto found = std::find_if(run->summary.nodes.begin(), run->summary.nodes.end(),
                                        [&](const NodeTotal& t) { return t.node == id; });
        if (found != run->summary.nodes.end()) total = &*found;
    }
    if (!total) {
        html.paragraph(html.muted(
            !document.faults.empty() ? InspectorPanel::tr("The model is not valid and cannot run.")
            : !run ? InspectorPanel::tr("Not measured yet. Run the model (F5) to see its time.")
            : body ? InspectorPanel::tr(
                         "Times of nodes inside bodies are part of the node that owns the body.")
                   : InspectorPanel::tr("It did not run: its result was known before.")));
        return;
    }
    html.row(InspectorPanel::tr("Time"),
             QStringLiteral("<b>%1</b> %2")
                 .arg(formatMilliseconds(total->ms),
                      html.muted(
                          InspectorPanel::tr("(%1 of the run)").arg(formatPercent(total->share)))));
    addSharers(html, *run, id);
    html.row(InspectorPanel::tr("Range"),
             QStringLiteral("%1 – %2").arg(formatMilliseconds(total->min_ms),
                                           formatMilliseconds(total->max_ms)));
    html.row(InspectorPanel::tr("Calls"), formatCount(total->calls));
    const QString plain =
        total->fallback_calls == 0
            ? QString()
            : InspectorPanel::tr("ran on the reference kernel: %1").arg(H::escape(total->fallback));
    const bool isPlain = total->kernel.starts_with("reference.");
    html.row(InspectorPanel::tr("Kernel"), isPlain
                                               ? H::escape(total->kernel) + u' ' + html.muted(plain)
                                               : H::escape(total->kernel));
    if (total->fallback_calls > 0 && !isPlain)
        html.row(InspectorPanel::tr("In its place"),
                 plain + u' ' +
                     html.muted(
                         InspectorPanel::tr("(%1 of %2 calls)")
                             .arg(formatCount(total->fallback_calls), formatCount(total->calls))));
    html.row(InspectorPanel::tr("Shapes"), H::escape(total->shapes));
    addPlacement(html, *run, id);
    for (const StepInfo& step : run->plan.steps) {
        if (step.node != id) continue;
        for (const auto& [kernel, reason] : step.passed_over)
            html.row(InspectorPanel::tr("Not used"),
                     H::escape(kernel) + QStringLiteral(": ") + html.muted(H::escape(reason)));
        break;
    }
}

void addChange(H& html, const app::Document& document, const Graph& graph, const GraphPtr& body,
               const Node& node) {
    html.heading(InspectorPanel::tr("Can it be changed"));
    QStringList facts;
    for (const UnsupportedNode& unsupported : document.summary.unsupported) {
        if (unsupported.node.find(node.describe()) != std::string::npos)
            facts << html.colored(
                InspectorPanel::tr("It cannot run here: %1").arg(H::escape(unsupported.reason)),
                html.colors().error);
    }
    for (const ModelFault& fault : document.faults)
        if (!body && fault.node == node.id)
            facts << html.colored(
                InspectorPanel::tr(
                    "It makes the model invalid: nothing of it runs before that is put right."),
                html.colors().error);
    const bool hasInputs =
        std::any_of(node.inputs.begin(), node.inputs.end(), [](ValueId v) { return bool(v); });
    const bool constants = hasInputs && node.captures.empty() &&
                           std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId v) {
                               return !v || graph.value(v).is_constant();
                           });
    if (constants)
        facts << InspectorPanel::tr(
            "All its inputs are constants, so it could be computed ahead of the run.");
    if (std::all_of(node.outputs.begin(), node.outputs.end(),
                    [&](ValueId v) { return !v || graph.value(v).is_unused(); }))
        facts << InspectorPanel::tr("Nobody reads what it computes, so it could be removed.");
    if (node.domain.empty() && (node.op_type == "Identity" || node.op_type == "Dropout"))
        facts << InspectorPanel::tr("It only passes its input on, so it could be left out.");
    const bool once =
        node.outputs.size() == 1 && node.outputs[0] && graph.value(node.outputs[0]).read_once();
    if (facts.isEmpty() && once)
        facts << InspectorPanel::tr(
            "Its result is read once, so it may be merged with the reader.");
    if (facts.isEmpty())
        facts << html.muted(document.faults.empty()
                                ? InspectorPanel::tr("Nothing stands out: it runs, its result is "
                                                     "needed, and it depends on the inputs.")
                                : InspectorPanel::tr("Nothing stands out about this node; the "
                                                     "model does not run for another's sake."));
    for (const QString& fact : facts) html.paragraph(fact);
}

QString fixText(InspectorRequest::Kind fix) {
    switch (fix) {
    case InspectorRequest::Kind::newerOpset: return InspectorPanel::tr("convert to a newer opset");
    case InspectorRequest::Kind::fixDimensions:
        return InspectorPanel::tr("fix the free dimensions");
    case InspectorRequest::Kind::pruneOutputs:
        return InspectorPanel::tr("leave out outputs that are not needed");
    case InspectorRequest::Kind::find:
    case InspectorRequest::Kind::mark:
    case InspectorRequest::Kind::showGroup:
    case InspectorRequest::Kind::lookInside: break;
    }
    return {};
}

/// Whether a rewrite of the main graph changed the node, or made it or the nodes that it stands
/// for.
bool concerns(const AppliedRewrite& applied, NodeId id) {
    const Rewrite& rewrite = applied.rewrite;
    const auto contains = [id](const std::vector<NodeId>& nodes) {
        return std::ranges::find(nodes, id) != nodes.end();
    };
    return applied.place.is_main() && (contains(rewrite.removed) || contains(rewrite.changed) ||
                                       contains(rewrite.added) || contains(rewrite.origins));
}

/// Adds the lines of the user's edits that made or changed the node.
void addEdits(H& html, const app::Variant* explained, NodeId id) {
    QStringList lines;
    if (explained)
        for (const AppliedRewrite& applied : explained->report.rewrites)
            if (applied.rewrite.pass == editPass && concerns(applied, id) &&
                lines.size() < mostPasses)
                lines << H::escape(H::text(applied.rewrite.remark));
    html.row(InspectorPanel::tr("Edited by"), lines.join(QStringLiteral("<br>")));
}

/// Adds the passes that changed the node, and near misses: pass, first condition that failed,
/// matched nodes.
void addWhyNot(H& html, const app::Document& document, const app::Variant* explained, NodeId id) {
    const Graph& graph = document.model->graph;
    html.heading(InspectorPanel::tr("Why not?"));
    const auto sayNothingTried = [&html] {
        html.paragraph(html.muted(InspectorPanel::tr(
            "No level was tried: the Optimize page shows which passes take it and which do not.")));
    };
    if (!explained) return sayNothingTried();
    int shown = 0;
    const auto contains = [id](const std::vector<NodeId>& nodes) {
        return std::ranges::find(nodes, id) != nodes.end();
    };
    const auto& rewrites = explained->report.rewrites;
    for (std::size_t i = 0; i < rewrites.size() && shown < mostPasses; ++i) {
        const Rewrite& rewrite = rewrites[i].rewrite;
        if (rewrite.pass == editPass || !concerns(rewrites[i], id)) continue;
        ++shown;
        const QString what =
            rewrite.remark.empty()
                ? InspectorPanel::tr("took it, step %1 of %2").arg(i + 1).arg(explained->name)
                : H::text(rewrite.remark);
        html.paragraph(
            QStringLiteral("✓ <b>%1</b> %2").arg(H::escape(rewrite.pass), H::escape(what)));
    }
    for (const NearMiss& miss : explained->report.near_misses) {
        if (shown >= mostPasses) break;
        if (!miss.place.is_main() || (miss.node != id && !contains(miss.nodes))) continue;
        ++shown;
        QString line = QStringLiteral("✗ <b>%1</b> %2")
                           .arg(H::escape(miss.pass), H::escape(H::text(miss.reason)));
        QStringList matched;
        for (const NodeId node : miss.nodes)
            if (node != id && graph.is_alive(node) && matched.size() < mostReaders)
                matched << html.link(H::text(graph.node(node).describe(), 60), {.node = node});
        if (!matched.isEmpty())
            line += QStringLiteral("<br>") + html.muted(InspectorPanel::tr("matched so far:")) +
                    u' ' + matched.join(QStringLiteral(", ")) + QStringLiteral(" · ") +
                    html.link(InspectorPanel::tr("mark them"),
                              {InspectorRequest::Kind::mark, {}, miss.nodes});
        for (const InspectorRequest::Kind fix :
             fixesOf(miss, *document.model, !app::symbolicDimensions(document.summary).empty()))
            line += QStringLiteral("<br>") + html.muted(InspectorPanel::tr("What may help:")) +
                    u' ' + html.link(fixText(fix), {fix});
        html.paragraph(line);
    }
    if (shown > 0) return;
    if (!explained->recipe.level) return sayNothingTried();
    html.paragraph(html.muted(
        InspectorPanel::tr("No pass of %1 took it, and none came near: no pattern has it.")
            .arg(explained->name)));
}

void addAttributes(H& html, const Node& node) {
    html.heading(InspectorPanel::tr("Attributes"));
    int shown = 0;
    for (const Attribute& attribute : node.attributes) {
        if (++shown > mostAttributes) {
            html.paragraph(html.muted(
                InspectorPanel::tr("… and %n more", nullptr,
                                   static_cast<int>(node.attributes.size()) - mostAttributes)));
            break;
        }
        html.row(H::text(attribute.name, H::longestKey),
                 H::escape(attributeText(attribute.value)) + u' ' +
                     html.muted(H::escape(H::text(std::string(kind_of(attribute.value))))));
    }
}

/// Adds the original nodes that it replaces, which are in the graph that the variant was made from.
void addOrigins(H& html, const app::Document& document, const Graph& graph, const GraphPtr& body,
                const Node& node) {
    QStringList origins;
    const Graph* source = document.variant && document.variant->parent && !body
                              ? &app::originalOf(*document.variant).model->graph
                              : nullptr;
    // A quantized model has different ids: the same id is another node there.
    const bool renumbered = source && document.variant->recipe.quantization;
    for (NodeId origin : node.origins) {
        if ((origin == node.id && !renumbered) || origins.size() >= mostOrigins) continue;
        if (!renumbered && graph.is_alive(origin))
            origins << html.link(H::text(graph.node(origin).describe(), 80),
                                 {.node = origin, .body = body});
        else if (source && source->is_alive(origin))
            origins << H::escape(H::text(source->node(origin).describe(), 80));
        else origins << QStringLiteral("#%1").arg(origin.index);
    }
    if (node.origins.size() > std::size_t(mostOrigins))
        origins << html.muted(InspectorPanel::tr("… %1 in all").arg(node.origins.size()));
    html.row(InspectorPanel::tr("Stands for"), origins.join(QStringLiteral(", ")));
}

/// Adds the line of code and the module that the node was exported from, as far as they are known.
void addSource(H& html, const Node& node) {
    const NodeSource source = source_of(node);
    html.row(InspectorPanel::tr("Source line"), H::escape(source.line_text()));
    html.row(InspectorPanel::tr("Module"), H::escape(source.module_text()));
}

}  // namespace

InspectorText describeNode(const app::Document& document, const GraphPtr& body, NodeId id,
                           const RanNode& ran, const app::Variant* explained,
                           const QPalette& palette) {
    const Graph& graph = body ? *body : document.model->graph;
    H html(palette);
    if (!graph.is_alive(id)) {
        html.paragraph(html.muted(InspectorPanel::tr("This node is no longer part of the graph.")));
        return html.finish();
    }
    const Node& node = graph.node(id);
    html.title(H::text(node.qualified_op(), 80),
               node.name.empty() ? InspectorPanel::tr("(unnamed)") : H::text(node.name));
    if (!body)
        for (const ModelFault& fault : document.faults)
            if (fault.node == id)
                html.paragraph(html.colored(H::escape(fault.message), html.colors().error));
    html.insideOffer(document);
    html.heading(InspectorPanel::tr("What is it"));
    html.row(InspectorPanel::tr("Operator"), H::escape(node.op_type));
    html.row(InspectorPanel::tr("Domain"),
             node.domain.empty() ? QStringLiteral("ai.onnx") : H::escape(node.domain));
    html.row(InspectorPanel::tr("Opset"), node.version > 0
                                              ? QString::number(node.version)
                                              : html.muted(InspectorPanel::tr("not imported")));
    html.row(InspectorPanel::tr("Family"),
             H::escape(nameOf(operatorFamily(H::text(node.qualified_op(), 80)))));
    if (!node.overload.empty()) html.row(InspectorPanel::tr("Overload"), H::escape(node.overload));
    if (!node.doc.empty()) html.row(InspectorPanel::tr("Note"), H::escape(node.doc));
    if (!node.attributes.empty()) addAttributes(html, node);
    addPorts(html, graph, body, node);

    html.heading(InspectorPanel::tr("Where did it come from"));
    const auto nodes = graph.nodes();
    const auto at = std::find(nodes.begin(), nodes.end(), id);
    html.row(InspectorPanel::tr("Place"),
             InspectorPanel::tr("node %1 of %2 in %3")
                 .arg(formatCount(at - nodes.begin() + 1),
                      formatCount(static_cast<std::int64_t>(nodes.size())),
                      body ? InspectorPanel::tr("a body") : H::escape(document.title)));
    addOrigins(html, document, graph, body, node);
    if (!body) addEdits(html, explained, id);
    addSource(html, node);
    html.rows(node.metadata);
    addCost(html, document, ran, body);
    addChange(html, document, graph, body, node);
    if (!body) addWhyNot(html, document, explained, id);
    return html.finish();
}

}  // namespace lapidary::views

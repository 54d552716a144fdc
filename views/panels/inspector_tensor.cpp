// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector's text about a tensor.
#include <algorithm>
#include <limits>

#include "panels/inspector_html.h"
#include "panels/inspector_panel.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

using H = InspectorHtml;
constexpr int mostTensorReaders = 40;

QString kindText(const Value& value) {
    switch (value.kind) {
    case ValueKind::input:
        return value.constant ? InspectorPanel::tr("Graph input with a default")
                              : InspectorPanel::tr("Graph input");
    case ValueKind::initializer: return InspectorPanel::tr("Constant");
    case ValueKind::node_output: return InspectorPanel::tr("Result of a node");
    case ValueKind::captured: return InspectorPanel::tr("Read from the graph around");
    case ValueKind::undefined: break;
    }
    return InspectorPanel::tr("Not written yet");
}

/// Bytes of a tensor of that type; 0 if its shape is not static or the size overflows.
std::uint64_t bytesOf(const Type& type) {
    if (!type.is_tensor() || !type.is_static() || type.dtype == DType::undefined ||
        type.dtype == DType::string)
        return 0;
    std::uint64_t bits = bit_width(type.dtype);
    for (std::int64_t dim : type.static_shape()) {
        if (dim < 0 || (dim > 0 && bits > std::numeric_limits<std::uint64_t>::max() /
                                              static_cast<std::uint64_t>(dim)))
            return 0;
        bits *= static_cast<std::uint64_t>(dim);
    }
    return (bits + 7) / 8;
}

QString real(double v) { return QString::number(v, 'g', 6); }

void addConstant(H& html, const Tensor& tensor, const CountedValues* counted,
                 const QString& failure) {
    const TensorStatistics* const statistics = counted ? &counted->statistics : nullptr;
    html.heading(InspectorPanel::tr("Contents"));
    html.row(InspectorPanel::tr("Elements"), formatCount(tensor.size()));
    if (statistics) {
        if (statistics->elements > statistics->nans + statistics->infinities) {
            html.row(InspectorPanel::tr("Range"),
                     QStringLiteral("%1 … %2").arg(real(statistics->minimum),
                                                   real(statistics->maximum)));
            html.row(
                InspectorPanel::tr("Mean"),
                QStringLiteral("%1 ± %2").arg(real(statistics->mean), real(statistics->stddev)));
        }
        const double all = std::max<double>(1, static_cast<double>(statistics->elements));
        html.row(InspectorPanel::tr("Zeros"),
                 QStringLiteral("%1 %2").arg(formatCount(statistics->zeros),
                                             html.muted(QStringLiteral("(%1)").arg(formatPercent(
                                                 static_cast<double>(statistics->zeros) / all)))));
        if (statistics->nans > 0)
            html.row(InspectorPanel::tr("NaN"),
                     html.colored(formatCount(statistics->nans), html.colors().error));
        if (statistics->infinities > 0)
            html.row(InspectorPanel::tr("Infinite"),
                     html.colored(formatCount(statistics->infinities), html.colors().error));
        if (statistics->histogram.size() > 1 && statistics->maximum > statistics->minimum)
            html.paragraph(QStringLiteral("<img src='%1' alt='%2'>")
                               .arg(QLatin1String(histogramName),
                                    InspectorPanel::tr("Histogram of the values")));
    } else if (!failure.isEmpty()) {
        html.paragraph(html.muted(H::escape(failure)));
    } else if (tensor.size() > 0) {
        html.paragraph(html.muted(InspectorPanel::tr("Counting …")));
    }
    const QString first = counted                ? counted->first
                          : tensor.is_deferred() ? QStringLiteral("…")
                                                 : firstValues(tensor, mostFirstValues);
    html.row(InspectorPanel::tr("First values"), H::escape(first));
    if (tensor.size() > 0)
        html.paragraph(QStringLiteral("<a href='%1'>%2</a>")
                           .arg(QLatin1String(saveLink), InspectorPanel::tr("Save as .npy …")));
}

void addSource(H& html, const app::Document& document, const Graph& graph, const GraphPtr& body,
               const Value& value) {
    html.heading(InspectorPanel::tr("Where did it come from"));
    if (value.kind == ValueKind::node_output) {
        const Node& producer = graph.node(value.producer);
        html.row(InspectorPanel::tr("Made by"),
                 html.link(H::text(producer.describe(), 120), {.node = producer.id, .body = body}));
    } else if (value.kind == ValueKind::initializer) {
        html.row(InspectorPanel::tr("Stored"),
                 document.model->path.empty()
                     ? InspectorPanel::tr("in the model")
                     : InspectorPanel::tr("in %1").arg(H::escape(document.title)));
    } else {
        html.row(InspectorPanel::tr("Given"), kindText(value).toHtmlEscaped());
    }
    html.row(InspectorPanel::tr("Declared"), value.declared
                                                 ? InspectorPanel::tr("in the file")
                                                 : InspectorPanel::tr("no: its type was inferred"));
    int shown = 0;
    for (const Use& use : value.uses) {
        if (++shown > mostTensorReaders) {
            html.paragraph(
                html.muted(InspectorPanel::tr("… %1 readers in all").arg(value.uses.size())));
            break;
        }
        html.row(shown == 1 ? InspectorPanel::tr("Read by") : QString(),
                 html.link(H::text(graph.node(use.node).describe(), 120),
                           {.node = use.node, .body = body}));
    }
    for (NodeId reader : value.captured_by) {
        if (++shown > mostTensorReaders) break;
        html.row(
            InspectorPanel::tr("Read inside"),
            html.link(H::text(graph.node(reader).describe(), 120), {.node = reader, .body = body}));
    }
    if (value.output_uses > 0)
        html.row(InspectorPanel::tr("Output"), InspectorPanel::tr("of the graph"));
    html.rows(value.metadata);
}

void addCost(H& html, const app::RunRecord* run, const GraphPtr& body, const Value& value) {
    html.heading(InspectorPanel::tr("What does it cost"));
    const MemoryBlock* block = nullptr;
    if (run && !body) {
        const auto found =
            std::find_if(run->plan.blocks.begin(), run->plan.blocks.end(),
                         [&](const MemoryBlock& b) { return b.value == value.name; });
        if (found != run->plan.blocks.end()) block = &*found;
    }
    if (block) {
        html.row(InspectorPanel::tr("Memory"),
                 InspectorPanel::tr("%1 at offset %2 of the arena")
                     .arg(formatBytes(block->bytes), formatBytes(block->offset)));
        html.row(InspectorPanel::tr("Alive"), InspectorPanel::tr("from step %1 to step %2")
                                                  .arg(block->first_step)
                                                  .arg(block->last_step));
    } else if (value.constant) {
        html.row(InspectorPanel::tr("Memory"),
                 InspectorPanel::tr("%1 for as long as the model is open")
                     .arg(formatBytes(value.constant->byte_size())));
    } else {
        html.paragraph(html.muted(
            run ? InspectorPanel::tr("It has no place of its own in the memory plan.")
                : InspectorPanel::tr(
                      "Not measured yet. Run the model (F5) to see its place in memory.")));
    }
}

}  // namespace

InspectorText describeValue(const app::Document& document, const GraphPtr& body, ValueId id,
                            const app::RunRecord* run, const CountedValues* statistics,
                            const QString& failure, const QPalette& palette) {
    const Graph& graph = body ? *body : document.model->graph;
    H html(palette);
    if (!graph.is_alive(id)) {
        html.paragraph(
            html.muted(InspectorPanel::tr("This tensor is no longer part of the graph.")));
        return html.finish();
    }
    const Value& value = graph.value(id);
    html.title(H::text(value.name, 160), kindText(value));
    html.insideOffer(document);
    html.heading(InspectorPanel::tr("What is it"));
    html.row(InspectorPanel::tr("Type"), H::escape(H::text(to_string(value.type))));
    if (const std::uint64_t bytes = bytesOf(value.type); bytes > 0)
        html.row(InspectorPanel::tr("Size"), formatBytes(bytes));
    if (!value.type.denotation.empty())
        html.row(InspectorPanel::tr("Denotation"), H::escape(value.type.denotation));
    if (!value.doc.empty()) html.row(InspectorPanel::tr("Note"), H::escape(value.doc));
    const bool numeric = value.constant && value.constant->dtype() != DType::string &&
                         value.constant->dtype() != DType::complex64 &&
                         value.constant->dtype() != DType::complex128;
    if (value.constant)
        addConstant(html, *value.constant, statistics,
                    numeric ? failure : InspectorPanel::tr("No statistics for this element type."));

    addSource(html, document, graph, body, value);
    addCost(html, run, body, value);
    html.heading(InspectorPanel::tr("Can it be changed"));
    html.paragraph(
        value.is_unused() ? InspectorPanel::tr("Nobody reads it, so it could be removed.")
        : value.is_constant()
            ? html.muted(InspectorPanel::tr("It is stored, not computed: what depends on constants "
                                            "alone can be computed ahead of the run."))
        : value.read_once()
            ? html.muted(
                  InspectorPanel::tr("It is read once; its writer and its reader may be merged."))
            : html.muted(InspectorPanel::tr("It is read in more than one place or is a result of "
                                            "the model, so it has to exist.")));
    InspectorText text = html.finish();
    text.wantsStatistics = numeric && value.constant->size() > 0;
    return text;
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// The model card, which the Inspector shows if nothing is selected.
#include <algorithm>

#include <lapidary/bench/bench.h>
#include <lapidary/export/passport.h>
#include <lapidary/export/requirement.h>

#include "canvas/graph_outline.h"
#include "panels/inspector_html.h"
#include "panels/inspector_panel.h"
#include "panels/problems_panel.h"
#include "run/verdict_text.h"
#include "widgets/text/quantity.h"
#include "workbench/text/core_words.h"
#include "workbench/project/project_state.h"

namespace lapidary::views {
namespace {

using H = InspectorHtml;
constexpr std::size_t mostEnds = 24, mostOperators = 24, mostWarnings = 20;
// pixels, beside the longest name and a count as wide as the dock is at 1280
constexpr std::int64_t longestBar = 60;
constexpr qsizetype mostOpsets = 12;

void addEnds(H& html, const QString& heading, const std::vector<std::pair<std::string, Type>>& ends,
             const Graph& graph) {
    html.heading(heading);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (i == mostEnds) {
            html.paragraph(html.muted(InspectorPanel::tr(
                "… and %n more", nullptr, static_cast<int>(ends.size() - mostEnds))));
            break;
        }
        const ValueId value = graph.find_value(ends[i].first);
        const QString name = H::text(ends[i].first, 80);
        html.paragraph((value ? html.link(name, {.value = value}) : H::escape(name)) +
                       QStringLiteral("<br>") +
                       html.muted(H::escape(H::text(to_string(ends[i].second), 120))));
    }
    if (ends.empty()) html.paragraph(html.muted(InspectorPanel::tr("None.")));
}

/// Adds the passport of an exported model; nothing if it has none.
void addPassport(H& html, const Model& model) {
    const auto passport = passport_of(model);
    if (!passport) return;
    html.heading(InspectorPanel::tr("Passport"));
    const auto add = [&](const QString& what, const std::string& text) {
        if (!text.empty()) html.row(what, H::escape(text));
    };
    add(InspectorPanel::tr("Engine"), passport->engine);
    add(InspectorPanel::tr("Level"), passport->level);
    add(InspectorPanel::tr("Target"), passport->target);
    add(InspectorPanel::tr("Passes"), passport->passes);
    add(InspectorPanel::tr("Options"), passport->options);
    add(InspectorPanel::tr("Edits"), passport->edits);
    add(InspectorPanel::tr("Edits after the level"), passport->edits_after);
    add(InspectorPanel::tr("Source"), passport->source);
    add(InspectorPanel::tr("SHA-256"), passport->source_sha256);
    add(InspectorPanel::tr("SHA-256 of the data"), passport->data_sha256);
    add(InspectorPanel::tr("Layout"), passport->layout);
    if (const std::string foreign = foreign_layout(model); !foreign.empty())
        html.paragraph(html.colored(H::escape(foreign), html.colors().warning) + u' ' +
                       html.muted(InspectorPanel::tr("An export for this CPU lays it out anew.")));
}

void addOperators(H& html, const ModelSummary& summary, const QPalette& palette) {
    html.heading(InspectorPanel::tr("Operators"));
    std::vector<std::pair<std::string, std::int64_t>> operators(summary.operators.begin(),
                                                                summary.operators.end());
    std::stable_sort(operators.begin(), operators.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    const std::int64_t most =
        operators.empty() ? 1 : std::max<std::int64_t>(1, operators.front().second);
    for (std::size_t i = 0; i < operators.size(); ++i) {
        if (i == mostOperators) {
            html.paragraph(
                html.muted(InspectorPanel::tr("… and %n more kinds", nullptr,
                                              static_cast<int>(operators.size() - mostOperators))));
            break;
        }
        const int length =
            std::max<int>(2, static_cast<int>(longestBar * operators[i].second / most));
        const QColor color = operatorColor(H::text(operators[i].first), palette);
        const QString op = H::text(operators[i].first);
        html.row(withoutDomain(op).left(H::longestOperator),
                 H::bar(length, color,
                        html.link(formatCount(operators[i].second),
                                  {InspectorRequest::Kind::find,
                                   QStringLiteral("op:") + withoutDomain(op)})));
    }
}

void addSource(H& html, const Model& model, const ModelSummary& summary) {
    html.heading(InspectorPanel::tr("Where did it come from"));
    html.row(InspectorPanel::tr("File"), H::escape(model.path.string()));
    if (summary.file_bytes > 0)
        html.row(InspectorPanel::tr("Size"),
                 formatBytes(summary.file_bytes) +
                     (summary.external_bytes > 0 ? InspectorPanel::tr(" and %1 beside it")
                                                       .arg(formatBytes(summary.external_bytes))
                                                 : QString()));
    html.row(InspectorPanel::tr("Producer"),
             H::escape(model.producer_name) + (model.producer_version.empty()
                                                   ? QString()
                                                   : u' ' + H::escape(model.producer_version)));
    html.row(InspectorPanel::tr("Format"), InspectorPanel::tr("ONNX IR %1").arg(model.ir_version));
    html.row(InspectorPanel::tr("Graph"), H::escape(model.graph.name()));
    if (model.model_version != 0)
        html.row(InspectorPanel::tr("Version"), QString::number(model.model_version));
    if (!model.domain.empty()) html.row(InspectorPanel::tr("Domain"), H::escape(model.domain));
    if (!model.doc.empty()) html.row(InspectorPanel::tr("Note"), H::escape(model.doc));
    StringPairs others = model.metadata;
    std::erase_if(others, [](const auto& entry) { return is_passport_key(entry.first); });
    html.rows(others);
    addPassport(html, model);
}

/// The median of the profiled runs with its interval; of one run its time.
QString timeOf(const app::RunRecord& run) {
    const MedianEstimate median = run.profile ? estimate_run_time(*run.profile) : MedianEstimate();
    return median.samples > 1 ? formatMedian(median.median, median.low, median.high)
                              : formatMilliseconds(run.summary.wall_ms);
}

void addCost(H& html, const app::Document& document, const app::RunRecord* run,
             const app::RunFigures* figures, const QString& target) {
    html.heading(InspectorPanel::tr("What does it cost"));
    const app::Recipe recipe = document.variant ? document.variant->recipe : app::Recipe();
    const bool isMeasured = figures && figures->kind == app::RunKind::measurement;
    const auto measured = [&] {
        return formatMedian(figures->median_ms, figures->low_ms, figures->high_ms);
    };
    if (run) {
        if (run->model)
            html.row(InspectorPanel::tr("Of"),
                     H::escape(app::conditionsText(recipe, run->profile->threads,
                                                   app::sizesOf(*run->model, run->inputs))));
        html.row(InspectorPanel::tr("Machine"), H::escape(run->machine));
        html.row(InspectorPanel::tr("Run"),
                 QStringLiteral("<b>%1</b> %2")
                     .arg(timeOf(*run), html.muted(InspectorPanel::tr("(profiled)"))));
        if (isMeasured) html.row(InspectorPanel::tr("Unprofiled"), measured());
        html.row(InspectorPanel::tr("Kernels"),
                 formatPercent(
                     run->summary.wall_ms > 0 ? run->summary.kernel_ms / run->summary.wall_ms : 0));
        if (run->profile && run->profile->peak_bytes > 0)
            html.row(InspectorPanel::tr("Activations held"),
                     formatBytes(static_cast<std::uint64_t>(run->profile->peak_bytes)));
        if (!run->traced)
            html.row(InspectorPanel::tr("Planned block"), formatBytes(run->plan.arena_bytes));
        html.paragraph(H::escape(verdictOf(run->summary)));
    } else if (figures && document.faults.empty()) {
        html.row(InspectorPanel::tr("Of"),
                 H::escape(app::conditionsText(recipe, figures->threads, figures->sizes)));
        html.row(InspectorPanel::tr("Machine"), H::escape(labelText(target)));
        html.row(InspectorPanel::tr("Run"),
                 QStringLiteral("<b>%1</b> %2")
                     .arg(measured(),
                          isMeasured ? QString() : html.muted(InspectorPanel::tr("(profiled)"))));
        html.paragraph(
            html.muted(InspectorPanel::tr("Run the model (F5) to see where the time goes.")));
    } else {
        html.paragraph(
            html.muted(document.faults.empty()
                           ? InspectorPanel::tr(
                                 "Not measured yet. Run the model (F5) to see times and memory.")
                           : InspectorPanel::tr("The model is not valid and cannot run.")));
    }
}

/// Adds the errors and warnings of the Problems panel.
void addProblems(H& html, const app::Document& document) {
    html.heading(InspectorPanel::tr("Can it be changed"));
    std::vector<Problem> problems = findProblems(document, nullptr);
    std::erase_if(problems, [](const Problem& p) { return p.severity == Problem::Severity::note; });
    if (problems.empty())
        html.paragraph(html.colored(
            InspectorPanel::tr("Every operator can run here. What else could be better about the "
                               "model is on the Checklist page."),
            html.colors().good));
    std::size_t shown = 0;
    for (const Problem& problem : problems) {
        if (++shown > mostWarnings) break;
        const bool isError = problem.severity == Problem::Severity::error;
        html.paragraph(html.colored(H::escape(problem.where),
                                    isError ? html.colors().error : html.colors().warning) +
                       QStringLiteral("<br>") + H::escape(problem.message));
    }
    if (shown > mostWarnings)
        html.paragraph(html.muted(InspectorPanel::tr("The Problems panel lists all of them.")));
}

}  // namespace

InspectorText describeModel(const app::Document& document, const app::RunRecord* run,
                            const app::RunFigures* figures, const QString& target,
                            const QPalette& palette) {
    const Model& model = *document.model;
    const ModelSummary& summary = document.summary;
    H html(palette);
    html.title(document.title, InspectorPanel::tr("Model"));
    html.heading(InspectorPanel::tr("What is it"));
    html.row(InspectorPanel::tr("Nodes"), formatCount(summary.nodes));
    if (document.variant && document.variant->sessionNodes > 0)
        html.row(InspectorPanel::tr("In a session"),
                 InspectorPanel::tr("%n node(s), after its own passes", nullptr,
                                    int(document.variant->sessionNodes)));
    html.row(InspectorPanel::tr("Parameters"),
             QStringLiteral("%1 %2").arg(formatCompactCount(summary.parameters),
                                         html.muted(formatBytes(summary.weight_bytes))));
    QStringList types;
    for (const auto& [dtype, count] : summary.parameters_by_dtype)
        types << QStringLiteral("%1 %2").arg(H::escape(dtype), formatCompactCount(count));
    html.row(InspectorPanel::tr("By type"), types.join(QStringLiteral(", ")));
    QStringList opsets;
    for (const auto& [domain, version] : model.opset_imports) {
        if (opsets.size() == mostOpsets) {
            opsets << QStringLiteral("…");
            break;
        }
        opsets << QStringLiteral("%1 %2")
                      .arg(domain.empty() ? QStringLiteral("ai.onnx")
                                          : H::escape(H::text(domain, 60)))
                      .arg(version);
    }
    html.row(InspectorPanel::tr("Opsets"), opsets.join(QStringLiteral(", ")));
    html.row(InspectorPanel::tr("Needs"),
             H::escape(app::inWindowLanguage(requirement_of(model).sentence)));
    if (!model.functions.empty())
        html.row(InspectorPanel::tr("Functions"),
                 formatCount(static_cast<std::int64_t>(model.functions.size())));
    addEnds(html, InspectorPanel::tr("Inputs"), summary.inputs, model.graph);
    addEnds(html, InspectorPanel::tr("Outputs"), summary.outputs, model.graph);

    addOperators(html, summary, palette);
    addSource(html, model, summary);
    addCost(html, document, run, figures, target);
    addProblems(html, document);
    return html.finish();
}

}  // namespace lapidary::views

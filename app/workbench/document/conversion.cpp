// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/conversion.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

#include "workbench/text/bounded_text.h"
#include "workbench/text/shell_word.h"

namespace lapidary::app {
namespace {

// passes
constexpr const char* pruning[] = {"prune_outputs", "eliminate_dead_nodes", "prune_unused_inputs"};
constexpr std::size_t most_listed = 200;  // nodes and weights that change

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Conversion)
};

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(qint64(bytes), 1, QLocale::DataSizeSIFormat);
}

std::vector<std::pair<std::string, Type>> portsOf(const Graph& graph,
                                                  std::span<const ValueId> ids) {
    std::vector<std::pair<std::string, Type>> ports;
    for (const ValueId id : ids) ports.emplace_back(graph.value(id).name, graph.value(id).type);
    return ports;
}

/// Adds inputs and outputs whose type has changed, and outputs that were removed.
void comparePorts(const Model& before, const Model& after, std::vector<ConversionChange>& changes) {
    const auto compare = [&](std::span<const ValueId> old, std::span<const ValueId> now,
                             const QString& kind, const QString& goneWhy) {
        const auto left = portsOf(after.graph, now);
        for (const auto& [name, type] : portsOf(before.graph, old)) {
            const auto same =
                std::ranges::find(left, name, [](const auto& port) { return port.first; });
            if (same == left.end())
                changes.push_back({Text::tr("%1 %2 goes").arg(kind, labelText(name)), goneWhy});
            else if (to_string(same->second) != to_string(type))
                changes.push_back({Text::tr("%1 %2: %3 becomes %4")
                                       .arg(kind, labelText(name), labelText(to_string(type), 80),
                                            labelText(to_string(same->second), 80)),
                                   Text::tr("its dimensions are fixed")});
        }
    };
    compare(before.graph.inputs(), after.graph.inputs(), Text::tr("Input"),
            Text::tr("nothing that is kept reads it"));
    compare(before.graph.outputs(), after.graph.outputs(), Text::tr("Output"),
            Text::tr("it is not among those to keep"));
}

/// "node "mean" (ReduceMean): made the axes an input", if the node is in the main graph.
ConversionChange upgradeOf(const AppliedRewrite& applied, const Graph& graph) {
    const Rewrite& rewrite = applied.rewrite;
    QString what = labelText(rewrite.remark);
    const auto& nodes = rewrite.added.empty() ? rewrite.changed : rewrite.added;
    if (applied.place.is_main() && !nodes.empty() && graph.is_alive(nodes.back()))
        what =
            QStringLiteral("%1: %2").arg(labelText(graph.node(nodes.back()).describe(), 80), what);
    return {what, Text::tr("by %1").arg(labelText(rewrite.pass))};
}

void reportExternal(const Model& model, std::uint64_t least,
                    std::vector<ConversionChange>& changes) {
    std::vector<std::pair<std::uint64_t, QString>> weights;
    std::uint64_t beside = 0, inside = 0;
    for (const ValueId id : model.graph.values()) {
        const Value& value = model.graph.value(id);
        if (!value.constant) continue;
        const std::uint64_t bytes = value.constant->byte_size();
        if (value.constant->dtype() == DType::string || bytes < least) {
            inside += bytes;
            continue;
        }
        beside += bytes;
        weights.emplace_back(bytes, labelText(value.name, 80));
    }
    std::ranges::sort(weights, std::greater<>());
    const QString why =
        Text::tr("weights of at least %1 lie beside the model").arg(bytesText(least));
    changes.push_back(
        {Text::tr("Weights that go into a file beside the model: %1 (%2); %3 stay in it")
             .arg(weights.size())
             .arg(bytesText(beside), bytesText(inside)),
         why});
    for (std::size_t i = 0; i < std::min(weights.size(), most_listed); ++i)
        changes.push_back(
            {Text::tr("%1, %2").arg(weights[i].second, bytesText(weights[i].first)), why});
}

}  // namespace

ExportOptions Conversion::exportOptions() const {
    ExportOptions options;
    options.opset = opset;
    options.optimize.level = keepOutputs.empty() ? Level::disabled : Level::basic;
    if (!keepOutputs.empty())
        options.optimize.only_passes.assign(std::begin(pruning), std::end(pruning));
    options.optimize.near_misses = false;
    options.optimize.free_dimensions = dimensions;
    options.optimize.keep_outputs = keepOutputs;
    return options;
}

SaveOptions Conversion::saveOptions() const {
    SaveOptions options;
    options.external_data_min_bytes = externalBytes;
    return options;
}

ConversionResult convert(const Model& model, const Conversion& conversion,
                         const Progress& progress) {
    ExportResult exported = export_model(model, conversion.exportOptions(), progress);
    ConversionResult result;
    result.nodesBefore = std::int64_t(count_nodes(model.graph));
    result.nodesAfter = std::int64_t(count_nodes(exported.model.graph));
    auto& changes = result.changes;
    if (conversion.opset && exported.model.opset() != model.opset())
        changes.push_back(
            {Text::tr("Opset %1 becomes %2").arg(model.opset()).arg(exported.model.opset()),
             Text::tr("nodes that change on the way: %1").arg(exported.upgraded.size())});
    comparePorts(model, exported.model, changes);
    for (const PassRun& run : exported.report.passes) {
        if (run.node_change >= 0) continue;
        changes.push_back({Text::tr("Nodes that go: %1").arg(-run.node_change),
                           run.pass == "eliminate_dead_nodes"
                               ? Text::tr("no output that is kept needs them")
                               : Text::tr("by %1").arg(labelText(run.pass))});
    }
    for (std::size_t i = 0; i < std::min(exported.upgraded.size(), most_listed); ++i)
        changes.push_back(upgradeOf(exported.upgraded[i], exported.model.graph));
    if (conversion.externalBytes)
        reportExternal(exported.model, *conversion.externalBytes, changes);
    for (const std::string& note : exported.notes)
        changes.push_back({labelText(note), Text::tr("note")});
    result.model = std::make_shared<const Model>(std::move(exported.model));
    return result;
}

QString conversionCommand(const Conversion& conversion, const QString& model,
                          const QString& output) {
    QStringList words{QStringLiteral("lapidary-cli"), QStringLiteral("optimize"), model,
                      QStringLiteral("-o"), output};
    words << QStringLiteral("--level");
    if (conversion.keepOutputs.empty()) words << QStringLiteral("disabled");
    else words << QStringLiteral("basic");
    if (!conversion.keepOutputs.empty())
        for (const char* pass : pruning)
            words << QStringLiteral("--only-pass") << QLatin1String(pass);
    if (conversion.opset) words << QStringLiteral("--opset") << QString::number(*conversion.opset);
    for (const auto& [name, size] : conversion.dimensions)
        words << QStringLiteral("--dim") << QStringLiteral("%1=%2").arg(exactText(name)).arg(size);
    for (const std::string& name : conversion.keepOutputs)
        words << QStringLiteral("--keep-output") << exactText(name);
    if (conversion.externalBytes)
        words << QStringLiteral("--external-data")
              << QString::number(quint64(*conversion.externalBytes));
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

}  // namespace lapidary::app

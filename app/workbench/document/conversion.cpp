// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/conversion.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <utility>

#include "workbench/text/bounded_text.h"
#include "workbench/text/shell_word.h"

namespace lapidary::app {
namespace {

// passes
constexpr const char* pruning[] = {"prune_outputs", "eliminate_dead_nodes", "prune_unused_inputs"};

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Conversion)
};

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(qint64(bytes), 1, QLocale::DataSizeSIFormat);
}

/// Inputs and outputs whose type has changed or that were removed.
ConversionChange changeOf(const ChangedPort& port) {
    const QString kind = port.is_output ? Text::tr("Output") : Text::tr("Input");
    if (!port.after)
        return {Text::tr("%1 %2 goes").arg(kind, labelText(port.name)),
                port.is_output ? Text::tr("it is not among those to keep")
                               : Text::tr("nothing that is kept reads it")};
    return {Text::tr("%1 %2: %3 becomes %4")
                .arg(kind, labelText(port.name), labelText(port.before, 80),
                     labelText(*port.after, 80)),
            Text::tr("its dimensions are fixed")};
}

/// "node "mean" (ReduceMean): made the axes an input", if the node is in the main graph.
ConversionChange changeOf(const UpgradedNode& upgraded) {
    QString what = labelText(upgraded.remark);
    if (!upgraded.node.empty())
        what = QStringLiteral("%1: %2").arg(labelText(upgraded.node, 80), what);
    return {what, Text::tr("by %1").arg(labelText(upgraded.pass))};
}

void reportWeights(const WeightPlaces& weights, std::uint64_t least,
                   std::vector<ConversionChange>& changes) {
    const QString why =
        Text::tr("weights of at least %1 lie beside the model").arg(bytesText(least));
    changes.push_back(
        {Text::tr("Weights that go into a file beside the model: %1 (%2); %3 stay in it")
             .arg(weights.beside_count)
             .arg(bytesText(weights.beside_bytes), bytesText(weights.inside_bytes)),
         why});
    for (const MovedWeight& weight : weights.beside)
        changes.push_back(
            {Text::tr("%1, %2").arg(labelText(weight.name, 80), bytesText(weight.bytes)), why});
}

}  // namespace

ExportJob Conversion::job(const ModelSource& model, const std::filesystem::path& file) const {
    ExportOptions options;
    options.opset = opset;
    options.optimize.level = keepOutputs.empty() ? Level::disabled : Level::basic;
    if (!keepOutputs.empty())
        options.optimize.only_passes.assign(std::begin(pruning), std::end(pruning));
    options.optimize.near_misses = false;
    options.optimize.free_dimensions = dimensions;
    options.optimize.keep_outputs = keepOutputs;
    SaveOptions saving;
    saving.external_data_min_bytes = externalBytes;
    return {model, {}, std::move(options), file, saving};
}

std::vector<ConversionChange> changesOf(const ExportedModel& exported,
                                        const Conversion& conversion) {
    const ExportChanges& found = exported.changes;
    std::vector<ConversionChange> changes;
    if (conversion.opset && found.opset != found.opset_before)
        changes.push_back({Text::tr("Opset %1 becomes %2").arg(found.opset_before).arg(found.opset),
                           Text::tr("nodes that change on the way: %1").arg(found.upgraded_count)});
    for (const ChangedPort& port : found.ports) changes.push_back(changeOf(port));
    for (const RemovedNodes& removed : found.removed)
        changes.push_back({Text::tr("Nodes that go: %1").arg(removed.count),
                           removed.pass == "eliminate_dead_nodes"
                               ? Text::tr("no output that is kept needs them")
                               : Text::tr("by %1").arg(labelText(removed.pass))});
    for (const UpgradedNode& upgraded : found.upgraded) changes.push_back(changeOf(upgraded));
    if (found.weights && conversion.externalBytes)
        reportWeights(*found.weights, *conversion.externalBytes, changes);
    for (const std::string& note : exported.notes)
        changes.push_back({labelText(note), Text::tr("note")});
    return changes;
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

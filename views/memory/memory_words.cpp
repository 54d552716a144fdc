// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t longKept = 4;  // steps that make a tensor's wait worth reporting

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryWords)
};

QString quoted(const std::string& name) { return QStringLiteral("\"%1\"").arg(labelText(name)); }

/// Without domain, and without brackets of its own: it comes between some.
QString plainOp(const std::string& op) {
    QString text = labelText(op);
    const QString fused = QStringLiteral(" (fused)");
    if (text.endsWith(fused)) return text.chopped(fused.size()) + Words::tr(", fused");
    return text.section(QStringLiteral("::"), -1);  // as the engine reports it
}

}  // namespace

QString nameOf(const TensorLifetime& tensor) {
    if (tensor.role != TensorRole::workspace)
        return labelText(tensor.name.empty() ? tensor.written_by : tensor.name);
    return (tensor.name.starts_with("subgraphs of ") ? Words::tr("subgraphs of %1")
                                                     : Words::tr("working memory of %1"))
        .arg(labelText(tensor.written_by));
}

namespace {

/// The group with most bytes at the peak: tensors of one type, or working memory.
struct Group {
    std::string type;  // empty: working memory
    std::size_t count = 0;
    std::uint64_t bytes = 0;
};

Group largestGroup(const MemoryReport& report) {
    std::map<std::string, Group> groups;
    for (const std::size_t i : report.at_peak) {
        const TensorLifetime& tensor = report.tensors[i];
        const std::string type = tensor.role == TensorRole::workspace ? std::string() : tensor.type;
        Group& group = groups[type];
        group.type = type;
        ++group.count;
        group.bytes += tensor.bytes;
    }
    Group most;
    for (const auto& [type, group] : groups)
        if (group.bytes > most.bytes) most = group;
    return most;
}

/// Describes the tensor that waits longest for its reader, among those of at least a tenth of the
/// peak.
QString longestWait(const MemoryReport& report, const Group& group) {
    const TensorLifetime* longest = nullptr;
    for (const std::size_t i : report.at_peak) {
        const TensorLifetime& tensor = report.tensors[i];
        if (tensor.role != TensorRole::activation || tensor.bytes * 10 < report.needed_bytes ||
            tensor.last_step < report.peak_step + longKept)
            continue;
        if (!longest || tensor.last_step > longest->last_step) longest = &tensor;
    }
    if (!longest) return {};
    const QString reader =
        Words::tr("only for %1 (%2) %3 steps later")
            .arg(quoted(longest->kept_by), plainOp(report.step_ops[longest->last_step]))
            .arg(longest->last_step - report.peak_step);
    if (longest->type == group.type)
        return group.count == 1 ? Words::tr(", alive %1").arg(reader)
                                : Words::tr(", one %1").arg(reader);
    return Words::tr(", one of %1 %2").arg(labelText(longest->type), reader);
}

}  // namespace

QString peakSentence(const MemoryReport& report) {
    if (report.steps.empty()) return Words::tr("Nothing runs: the model has no nodes.");
    if (report.needed_bytes == 0)
        return Words::tr("No activation has a size that is known before it runs.");
    const Group group = largestGroup(report);
    const std::size_t others = report.at_peak.size() - group.count;
    QString text =
        Words::tr("Activations planned: %1 at node %2 (%3):")
            .arg(formatBytes(report.needed_bytes), quoted(report.steps[report.peak_step]),
                 plainOp(report.step_ops[report.peak_step])) +
        u' ';
    const QString wait = longestWait(report, group), size = formatBytes(group.bytes),
                  type = labelText(group.type);
    if (!group.type.empty() && group.count == 1 && others > 0)
        return text +
               Words::tr("%1 tensors alive, the largest %2 (%3)").arg(others + 1).arg(type, size) +
               wait + u'.';
    if (group.type.empty()) text += Words::tr("its working memory of %1").arg(size);
    else if (group.count == 1) text += Words::tr("1 tensor of %1 alive").arg(type);
    else text += Words::tr("%1 tensors of %2 alive").arg(group.count).arg(type);
    if (group.bytes * 10 < report.needed_bytes * 9 && others > 0) {
        if (!group.type.empty()) text += QStringLiteral(" (%1)").arg(size);
        text += u' ' + (others == 1 ? Words::tr("beside 1 other")
                                    : Words::tr("beside %1 others").arg(others));
    }
    return text + wait + u'.';
}

QString processSentence(const ProcessMemory& process) {
    const QString beside =
        process.mapped_weights == 0
            ? QString()
            : u' ' + Words::tr("Beside it %1 of weights are read in the file's own pages.")
                         .arg(formatBytes(process.mapped_weights));
    return Words::tr("Process: %1 while it runs.").arg(formatBytes(process.total())) + beside;
}

QString processParts(const MemoryReport& report) {
    const ProcessMemory& process = report.process;
    const QString parts = Words::tr(
                              "The process is made of: program %1, graph and plan %2, weights %3, "
                              "packed copies %4, activations as "
                              "written %5, inputs %6.")
                              .arg(formatBytes(process.program), formatBytes(process.graph),
                                   formatBytes(process.weights), formatBytes(process.packed),
                                   formatBytes(process.activations), formatBytes(process.inputs));
    // The plan for a set of sizes is made from its first run.
    if (!report.assumptions.plan ||
        process.activations <= report.block_bytes + report.block_bytes / 50)
        return parts;
    return parts + u' ' +
           Words::tr("The first run, which has no plan yet, writes more than later ones.");
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/comparison_report.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QString modelName(const app::Document& opened) {
    if (!opened.source.sample.empty())
        return QStringLiteral("sample:") + exactText(opened.source.sample);
    const auto& path = opened.model->path;
    return path.empty() ? opened.title + QStringLiteral(".onnx") : exactText(path.string());
}

}  // namespace

ReportContent reportOf(const app::Document& opened, const app::ComparisonRecord& record,
                       const QString& notes) {
    ReportContent content;
    content.title = QCoreApplication::translate("ComparisonReport", "%1: %2 against %3")
                        .arg(opened.title, record.b->name, record.a->name)
                        .toStdString();
    content.notes = notes.toStdString();
    content.original = opened.model;
    content.difference = record.difference;
    content.conditions.threads = record.threads;
    content.conditions.sizes.all = record.sizes;
    content.machine = record.machine;
    content.written_by = QStringLiteral("Lapidary %1")
                             .arg(QCoreApplication::applicationVersion())
                             .trimmed()
                             .toStdString();
    const auto side = [&](const app::VariantPtr& variant, const app::RunRecordPtr& run,
                          const std::optional<Measurement>& measured) {
        ReportSide result;
        result.name = variant->name.toStdString();
        result.model = variant->model;
        result.passes = std::shared_ptr<const PipelineReport>(variant, &variant->report);
        if (run) result.profile = run->profile, result.executed = run->executed;
        result.measurement = measured;
        if (!variant->isOriginal())
            result.command = app::commandLine(variant->recipe, modelName(opened),
                                              QFileInfo(modelName(opened)).completeBaseName() +
                                                  QStringLiteral(".optimized.onnx"))
                                 .toStdString();
        content.sides.push_back(std::move(result));
    };
    side(record.a, record.run_a, record.measured_a);
    side(record.b, record.run_b, record.measured_b);
    content.outputs = record.outputs;
    return content;
}

}  // namespace lapidary::views

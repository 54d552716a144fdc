// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/export_preview.h"

#include "canvas/graph_outline.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "worker/jobs/export_job.h"

namespace lapidary::views {
namespace {

constexpr int delayMs = 250;

QString keyOf(const ModelPtr& base, const ExportOptions& options) {
    QStringList parts{QString::number(quintptr(base.get())),
                      QString::number(options.target ? int(*options.target) : -1),
                      QString::number(int(options.optimize.level)),
                      QString::number(options.static_batch.value_or(0))};
    for (const auto& [name, size] : options.optimize.free_dimensions)
        parts << exactText(name) + u'=' + QString::number(size);
    for (const std::string& name : options.optimize.keep_outputs) parts << exactText(name);
    return parts.join(u'\n');
}

}  // namespace

ExportPreview::ExportPreview(app::Workbench& workbench, QWidget* parent)
    : QLabel(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("exportFigures"));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAccessibleName(tr("What the file will hold"));
    delay_.setSingleShot(true);
    delay_.setInterval(delayMs);
    connect(&delay_, &QTimer::timeout, this, &ExportPreview::start);
}

void ExportPreview::look(const app::ModelSource& base, const ExportOptions& options,
                         const std::string& editsAfter, std::int64_t nodesHere,
                         std::uint64_t weightsHere) {
    nodesHere_ = nodesHere;
    weightsHere_ = weightsHere;
    const QString key = keyOf(base.model, options) + u'\n' + exactText(editsAfter);
    if (key == wanted_) return;
    wanted_ = key;
    base_ = base;
    options_ = options;
    editsAfter_ = editsAfter;
    figures_.reset();
    job_.drop();
    setText(tr("Looking at what it will hold …"));
    delay_.start();
}

void ExportPreview::start() {
    job_.start<ExportFigures>(
        workbench_.jobs(), tr("Look at the export"),
        [engine = &workbench_.engine(),
         job = app::ExportJob{base_, {}, options_, {}, {}, false, editsAfter_}](
            const Progress& progress) {
            app::ExportedModel exported = engine->call(job, progress);
            return ExportFigures{exported.nodes, exported.weight_bytes, std::move(exported.needs),
                                 std::move(exported.notes)};
        },
        [this](const ExportFigures& figures) { report(figures); },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                setText(QStringLiteral("✕ ") + tipText(error.what()));
        });
}

void ExportPreview::report(const ExportFigures& figures) {
    figures_ = figures;
    QString text =
        tr("%1, %2 of weights. Needs: %3.")
            .arg(nodeCountText(std::uint64_t(figures.nodes)), formatBytes(figures.weightBytes),
                 labelText(app::inWindowLanguage(figures.needs)));
    if (nodesHere_ > 0 && nodesHere_ < figures.nodes)
        text +=
            u' ' + tr("Here the level leaves %1; this target writes some of them as several nodes.")
                       .arg(formatCount(nodesHere_));
    if (weightsHere_ > 0 && weightsHere_ < figures.weightBytes)
        text += u' ' + tr("Here weights take %1; this target writes further constants.")
                           .arg(formatBytes(weightsHere_));
    for (const std::string& note : figures.notes)
        text += u'\n' + labelText(app::inWindowLanguage(note));
    setText(sentenceText(text));
    emit reported();
}

}  // namespace lapidary::views

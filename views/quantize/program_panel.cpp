// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/program_panel.h"

#include <QFileInfo>
#include <QVBoxLayout>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"
#include "workbench/workbench.h"
#include "worker/jobs/quantize/program_job.h"

namespace lapidary::views {

QuantizeSnippetSettings programSettings(const app::QuantizeChoice& choice,
                                        const app::QuantizeRecord* record, const QString& model) {
    QuantizeSnippetSettings settings;
    settings.model_file = model.toStdString();
    settings.quantized_file =
        (QFileInfo(model).completeBaseName() + QStringLiteral(".onnxruntime.onnx")).toStdString();
    settings.options = choice.options();
    settings.samples = {choice.samples.data, !choice.samples.text.vocabulary.empty(),
                        choice.samples.generated, choice.samples.images};
    if (!record || record->best < 0) return settings;
    settings.options = record->trials[std::size_t(record->best)].options;
    settings.nodes = record->nodes;
    return settings;
}

ProgramPanel::ProgramPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), version_(new QComboBox),
      code_(new CodeText(QStringLiteral("quantizeProgram"))) {
    setObjectName(QStringLiteral("programPanel"));
    version_->setObjectName(QStringLiteral("programVersion"));
    version_->setAccessibleName(tr("Version of ONNX Runtime"));
    version_->setToolTip(tr("Names and values fit this version of ONNX Runtime"));
    for (const std::string& version : quantize_snippet_versions())
        version_->addItem(tr("ONNX Runtime %1").arg(exactText(version)), exactText(version));
    auto* hint =
        new QLabel(tr("Does the same with ONNX Runtime's own tools. Its first lines say what they "
                      "do differently."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setWordWrap(true);
    code_->addControl(version_);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(spacing, 0, spacing, 4);
    second->addWidget(hint, 1);
    code_->addRow(second);
    code_->setProposal(QStringLiteral("Python"), QStringLiteral("py"),
                       QStringLiteral("quantize_model.py"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(code_);
    connect(code_, &CodeText::statusMessage, this, &ProgramPanel::statusMessage);
    connect(version_, &QComboBox::currentIndexChanged, this, &ProgramPanel::refresh);
    connect(&workbench_.quantizing(), &app::Quantizing::changed, this, &ProgramPanel::refresh);
    connect(&workbench_.quantizing(), &app::Quantizing::choiceChanged, this,
            &ProgramPanel::refresh);
    connect(&workbench_, &app::Workbench::openedChanged, this, &ProgramPanel::refresh);
    refresh();
}

void ProgramPanel::refresh() {
    stale_ = true;
    if (isVisible()) write();
}

void ProgramPanel::showEvent(QShowEvent* event) {
    if (stale_) write();
    QWidget::showEvent(event);
}

/// In a job: which nodes are quantized is found out on the prepared model.
void ProgramPanel::write() {
    stale_ = false;
    job_.drop();
    if (!workbench_.opened()) return code_->showCode({}, tr("Open a model first."));
    const app::Quantizing& quantizing = workbench_.quantizing();
    if (quantizing.isRunning())
        return code_->showCode({}, tr("The program comes when quantizing is done."));
    const app::ModelSource& source = workbench_.opened()->source;
    const ModelPtr& model = workbench_.opened()->model;
    const QFileInfo file(model->path.empty() ? workbench_.opened()->title + QStringLiteral(".onnx")
                                             : exactText(model->path.string()));
    QuantizeSnippetSettings settings =
        programSettings(quantizing.choice(), quantizing.record().get(), file.fileName());
    settings.onnxruntime_version = version_->currentData().toString().toStdString();
    job_.start<QString>(
        workbench_.jobs(), tr("Program for ONNX Runtime"),
        [engine = &workbench_.engine(), job = app::ProgramJob{source, settings}](
            const Progress& progress) { return exactText(engine->call(job, progress)); },
        [this](const QString& code) { code_->showCode(code, {}); },
        [this](const Error& error) { code_->showCode({}, tipText(error.what())); });
}

}  // namespace lapidary::views

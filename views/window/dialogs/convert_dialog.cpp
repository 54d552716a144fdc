// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/convert_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

#include <lapidary/base/error.h>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/document/symbolic_dimensions.h"

namespace lapidary::views {
namespace {

constexpr int mostDimensions = 8;
constexpr int oldestOpset = 7, newestOpset = 28;  // of ai.onnx that models are converted to
constexpr int typingMs = 250;  // after the last change, before the preview is made
constexpr int usualKb = 1;     // weights from this size on are stored beside the model

}  // namespace

ConvertDialog::ConvertDialog(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), document_(workbench.opened()),
      upgrade_(new QCheckBox(tr("&Opset"))),
      external_(new QCheckBox(tr("&Weights beside the model, from"))),
      open_(new QCheckBox(tr("Open the &result"))), opset_(new QSpinBox), externalKb_(new QSpinBox),
      outputs_(new QListWidget), changes_(new QTreeWidget), sentence_(new QLabel),
      status_(new QLabel), command_(new QPlainTextEdit), progress_(new QProgressBar),
      save_(new QPushButton(themedIcon(QStringLiteral("save")), tr("&Save as …"))),
      close_(new QPushButton(tr("Close"))) {
    setObjectName(QStringLiteral("convertDialog"));
    setProperty("helpPage", QStringLiteral("page-optimize"));
    setWindowTitle(tr("Convert %1").arg(labelText(document_->title, 60)));
    makePreview();
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open_);
    buttons->addWidget(progress_);
    buttons->addStretch(1);
    buttons->addWidget(close_);
    buttons->addWidget(save_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeChoices());
    column->addWidget(sentence_);
    column->addWidget(changes_, 1);
    auto* repeat = new QLabel(tr("The command that repeats this:"));
    repeat->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(repeat);
    column->addWidget(command_);
    column->addWidget(status_);
    column->addLayout(buttons);
    resize(720, 640);

    delay_.setSingleShot(true);
    delay_.setInterval(typingMs);
    connect(&delay_, &QTimer::timeout, this, &ConvertDialog::startPreview);
    for (QCheckBox* box : {upgrade_, external_})
        connect(box, &QCheckBox::toggled, this, &ConvertDialog::changed);
    for (QSpinBox* spin : {opset_, externalKb_})
        connect(spin, &QSpinBox::valueChanged, this, &ConvertDialog::changed);
    for (const auto& [name, spin] : dimensions_)
        connect(spin, &QSpinBox::valueChanged, this, &ConvertDialog::changed);
    connect(outputs_, &QListWidget::itemChanged, this, &ConvertDialog::changed);
    connect(save_, &QPushButton::clicked, this, &ConvertDialog::choosePath);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    refresh();
}

QWidget* ConvertDialog::makeChoices() {
    auto* box = new QGroupBox(tr("What to change"));
    auto* form = new QFormLayout(box);
    const auto opset = int(document_->model->opset());
    upgrade_->setObjectName(QStringLiteral("convertOpset"));
    upgrade_->setToolTip(
        tr("Nodes are rewritten where operators changed; one that cannot be says why"));
    opset_->setObjectName(QStringLiteral("convertOpsetTo"));
    opset_->setAccessibleName(tr("Opset to convert to"));
    opset_->setRange(oldestOpset, newestOpset);
    opset_->setValue(opset < newestOpset ? std::clamp(21, opset + 1, newestOpset) : 21);
    opset_->setPrefix(tr("from %1 to ").arg(opset));
    form->addRow(upgrade_, opset_);
    auto names = app::symbolicDimensions(document_->summary);
    if (names.size() > mostDimensions) names.resize(mostDimensions);
    for (const std::string& name : names) {
        auto* spin = new QSpinBox;
        spin->setRange(0, 1 << 30);
        spin->setSpecialValueText(tr("stays free"));
        spin->setObjectName(QStringLiteral("convertDimension_") + labelText(name));
        spin->setAccessibleName(tr("Size of dimension %1").arg(labelText(name)));
        form->addRow(tr("Dimension %1").arg(labelText(name, 40)), spin);
        dimensions_.emplace_back(name, spin);
    }
    outputs_->setObjectName(QStringLiteral("convertOutputs"));
    outputs_->setAccessibleName(tr("Outputs to keep"));
    for (const auto& [name, type] : document_->summary.outputs) {
        auto* item = new QListWidgetItem(labelText(name), outputs_);
        item->setData(Qt::UserRole, exactText(name));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    }
    outputs_->setFixedHeight(fontMetrics().lineSpacing() * std::clamp(outputs_->count(), 2, 4) +
                             14);
    form->addRow(tr("Outputs to keep"), outputs_);
    external_->setObjectName(QStringLiteral("convertExternal"));
    external_->setToolTip(tr("Above 2 GB weights always go into a separate file"));
    externalKb_->setRange(0, 2'000'000);
    externalKb_->setValue(usualKb);
    externalKb_->setSuffix(tr(" kB"));
    externalKb_->setAccessibleName(tr("Smallest weight that goes into the file beside it"));
    form->addRow(external_, externalKb_);
    return box;
}

void ConvertDialog::chooseOpset() {
    upgrade_->setChecked(upgrade_->isEnabled());
    opset_->setFocus();
}

void ConvertDialog::askForDimensions() {
    if (!dimensions_.empty()) dimensions_.front().second->setFocus();
}

void ConvertDialog::askForOutputs() { outputs_->setFocus(); }

void ConvertDialog::makePreview() {
    changes_->setObjectName(QStringLiteral("convertChanges"));
    changes_->setAccessibleName(tr("What changes"));
    changes_->setHeaderLabels({tr("What changes"), tr("Why")});
    changes_->setRootIsDecorated(false);
    changes_->setUniformRowHeights(true);
    changes_->header()->setSectionResizeMode(QHeaderView::Stretch);
    sentence_->setObjectName(QStringLiteral("convertSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setFont(scaledFont(1.0, true));
    status_->setObjectName(QStringLiteral("convertStatus"));
    status_->setTextFormat(Qt::PlainText);
    status_->setWordWrap(true);
    command_->setReadOnly(true);
    command_->setFont(monospaceFont());
    command_->setFixedHeight(fontMetrics().lineSpacing() * 2 + 14);
    command_->setTabChangesFocus(true);
    command_->setAccessibleName(tr("The command that repeats this"));
    progress_->setTextVisible(false);
    progress_->setRange(0, 0);
    progress_->setAccessibleName(tr("Progress"));
    save_->setObjectName(QStringLiteral("convertSave"));
    open_->setObjectName(QStringLiteral("convertOpen"));
    open_->setChecked(true);
}

app::Conversion ConvertDialog::conversion() const {
    app::Conversion conversion;
    if (upgrade_->isChecked()) conversion.opset = opset_->value();
    for (const auto& [name, spin] : dimensions_)
        if (spin->value() > 0) conversion.dimensions[name] = spin->value();
    for (int i = 0; i < outputs_->count(); ++i)
        if (outputs_->item(i)->checkState() == Qt::Checked)
            conversion.keepOutputs.push_back(
                outputs_->item(i)->data(Qt::UserRole).toString().toStdString());
    if (int(conversion.keepOutputs.size()) == outputs_->count()) conversion.keepOutputs.clear();
    if (external_->isChecked())
        conversion.externalBytes = std::uint64_t(externalKb_->value()) * 1000;
    return conversion;
}

void ConvertDialog::changed() {
    canSave_ = false;
    preview_.drop();
    status_->clear();
    const bool none = outputs_->count() > 0 && conversion().keepOutputs.empty() &&
                      outputs_->item(0)->checkState() != Qt::Checked;
    if (none) return refuse(tr("Keep at least one output."));
    delay_.start();
    refresh();
}

void ConvertDialog::startPreview() {
    changes_->clear();
    const app::Conversion chosen = conversion();
    if (chosen.isNone()) return refresh();
    preview_.start<app::ExportedModel>(
        workbench_.jobs(), tr("Look at what a conversion changes"),
        [engine = &workbench_.engine(), job = chosen.job(document_->source)](
            const Progress& progress) { return engine->call(job, progress); },
        [this](const app::ExportedModel& converted) { showPreview(converted); },
        [this](const Error& error) {
            refuse(error.code() == ErrorCode::cancelled ? tr("It was cancelled.")
                                                        : sentenceText(error.what()));
        });
    refresh();
}

void ConvertDialog::showPreview(const app::ExportedModel& converted) {
    canSave_ = true;
    changes_->clear();
    QList<QTreeWidgetItem*> rows;
    for (const app::ConversionChange& change : app::changesOf(converted, conversion())) {
        auto* row = new QTreeWidgetItem(QStringList{change.what, change.why});
        row->setToolTip(0, plainToolTip(change.what));
        row->setToolTip(1, plainToolTip(change.why));
        rows << row;
    }
    changes_->addTopLevelItems(rows);
    refresh();
    sentence_->setText(
        converted.changes.nodes_before == converted.nodes
            ? tr("Changes: %1. The model keeps its %n node(s).", nullptr, int(converted.nodes))
                  .arg(rows.size())
            : tr("Changes: %1. Of %2 nodes %3 are left.")
                  .arg(rows.size())
                  .arg(formatCount(converted.changes.nodes_before), formatCount(converted.nodes)));
    emit previewed();
}

void ConvertDialog::refuse(const QString& reason) {
    delay_.stop();
    canSave_ = false;
    changes_->clear();
    refresh();
    sentence_->setText(QStringLiteral("✕ ") + reason);
    emit previewed();
}

void ConvertDialog::refresh() {
    opset_->setEnabled(upgrade_->isChecked());
    externalKb_->setEnabled(external_->isChecked());
    progress_->setVisible(preview_.isRunning() || saving_.isRunning());
    save_->setEnabled(canSave_ && !saving_.isRunning());
    save_->setToolTip(canSave_ ? tr("Choose a file and write the converted model")
                               : tr("Choose what to change first"));
    sentence_->setText(conversion().isNone() ? tr("Nothing is chosen: the model stays as it is.")
                       : isPreviewing()      ? tr("Finding out what changes …")
                                             : QString());
    const auto& source = document_->model->path;
    command_->setPlainText(conversion().isNone()
                               ? QString()
                               : tipText(app::conversionCommand(
                                     conversion(),
                                     source.empty() ? document_->title + QStringLiteral(".onnx")
                                                    : exactText(source.string()),
                                     QFileInfo(suggestedPath()).fileName())));
}

QString ConvertDialog::suggestedPath() const {
    const auto& source = document_->model->path;
    const QFileInfo file(source.empty()
                             ? QDir::home().filePath(document_->title + QStringLiteral(".onnx"))
                             : exactText(source.string()));
    const app::Conversion chosen = conversion();
    QString name = file.completeBaseName();
    if (chosen.opset) name += QStringLiteral(".opset%1").arg(*chosen.opset);
    if (!chosen.dimensions.empty()) name += QStringLiteral(".fixed");
    if (!chosen.keepOutputs.empty()) name += QStringLiteral(".pruned");
    if (chosen.externalBytes) name += QStringLiteral(".external");
    return file.dir().filePath(name + QStringLiteral(".onnx"));
}

void ConvertDialog::choosePath() {
    auto* dialog =
        new QFileDialog(this, tr("Save the converted model"), QFileInfo(suggestedPath()).path());
    dialog->setObjectName(QStringLiteral("convertFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("onnx"));
    dialog->setNameFilters({tr("ONNX models (*.onnx)")});
    dialog->selectFile(QFileInfo(suggestedPath()).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, &ConvertDialog::save);
    dialog->open();
}

void ConvertDialog::save(const QString& path) {
    if (!canSave_) return;
    saving_.start<QStringList>(
        workbench_.jobs(), tr("Save %1").arg(QFileInfo(path).fileName()),
        [engine = &workbench_.engine(),
         job = conversion().job(document_->source, toPath(path))](const Progress& progress) {
            QStringList notes;
            for (const std::string& note : engine->call(job, progress).notes)
                notes << labelText(note);
            return notes;
        },
        [this, path](const QStringList& notes) {
            refresh();
            status_->setText(
                sentenceText((QStringList{tr("✓ Wrote %1").arg(path)} + notes).join(u'\n')));
            emit saved(path);
            if (!open_->isChecked()) return;
            workbench_.openModel(path);
            accept();
        },
        [this](const Error& error) {
            const QString reason = error.code() == ErrorCode::cancelled
                                       ? tr("It was cancelled; nothing was written.")
                                       : tipText(error.what());
            refresh();
            status_->setText(sentenceText(QStringLiteral("✕ ") + reason));
            emit failed(reason);
        });
    refresh();
}

}  // namespace lapidary::views

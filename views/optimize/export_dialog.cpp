// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/export_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>
#include <system_error>

#include <lapidary/edit/edit_script.h>

#include "optimize/export_preview.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/project/project_state.h"
#include "workbench/document/symbolic_dimensions.h"
#include "worker/jobs/export_job.h"

namespace lapidary::views {
namespace {

constexpr int mostDimensions = 8;
constexpr int asItIsId = 100;  // among the buttons of the targets

}  // namespace

ExportDialog::ExportDialog(app::Workbench& workbench, const app::Recipe& recipe, QWidget* parent)
    : QDialog(parent), workbench_(workbench), document_(workbench.opened()),
      base_(document_->source), recipe_(recipe), targets_(new QButtonGroup(this)),
      path_(new QLineEdit), external_(new QCheckBox(tr("Weights in a file beside it, from"))),
      batched_(new QCheckBox(tr("Fixed batch size"))), externalKb_(new QSpinBox),
      batch_(new QSpinBox), outputs_(new QListWidget), command_(new QPlainTextEdit),
      contents_(new QLabel), status_(new QLabel), preview_(new ExportPreview(workbench)),
      progress_(new QProgressBar) {
    setObjectName(QStringLiteral("exportDialog"));
    baseSummary_ = document_->summary;
    if (const app::VariantPtr base = workbench.variants().baseOf(recipe); base && base->parent) {
        base_ = workbench.sourceOf(base);
        baseSummary_ = base->summary;
    }
    setWindowTitle(tr("Export %1 · %2").arg(labelText(document_->title, 60), app::nameOf(recipe)));
    auto* browse = new QPushButton(themedIcon(QStringLiteral("open")), tr("&Browse …"));
    path_->setObjectName(QStringLiteral("exportPath"));
    path_->setAccessibleName(tr("File to write"));
    connect(browse, &QPushButton::clicked, this, &ExportDialog::choosePath);
    auto* file = new QHBoxLayout;
    auto* fileLabel = new QLabel(tr("&File"));
    fileLabel->setBuddy(path_);
    file->addWidget(fileLabel);
    file->addWidget(path_, 1);
    file->addWidget(browse);

    command_->setObjectName(QStringLiteral("exportCommand"));
    command_->setReadOnly(true);
    command_->setFont(monospaceFont());
    // of a quantized or edited model
    command_->setFixedHeight(QFontMetrics(command_->font()).lineSpacing() * 5 + 12);
    command_->setTabChangesFocus(true);
    command_->setAccessibleName(tr("The command that repeats this"));
    status_->setObjectName(QStringLiteral("exportStatus"));
    status_->setTextFormat(Qt::PlainText);
    status_->setWordWrap(true);
    progress_->setTextVisible(false);
    progress_->setRange(0, 0);
    progress_->setAccessibleName(tr("Progress"));
    progress_->hide();
    save_ = new QPushButton(themedIcon(QStringLiteral("export")), tr("&Export"));
    save_->setObjectName(QStringLiteral("exportSave"));
    save_->setDefault(true);
    copy_ = new QPushButton(themedIcon(QStringLiteral("copy")), tr("&Copy command"));
    close_ = new QPushButton(tr("Close"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(copy_);
    buttons->addWidget(progress_);
    buttons->addStretch(1);
    buttons->addWidget(close_);
    buttons->addWidget(save_);

    auto* column = new QVBoxLayout(this);
    column->addWidget(makeTargets());
    options_ = makeOptions();
    column->addWidget(options_);
    column->addLayout(file);
    auto* repeat = new QLabel(tr("The command that repeats this:"));
    repeat->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(repeat);
    column->addWidget(command_);
    column->addWidget(status_);
    column->addLayout(buttons);
    resize(680, sizeHint().height());

    connectParts();
    const auto& source = document_->model->path;
    const QString base = source.empty()
                             ? QDir::home().filePath(document_->title + QStringLiteral(".onnx"))
                             : exactText(source.string());
    const QFileInfo info(base);
    path_->setText(info.dir().filePath(app::fileNameOf(recipe, info.fileName())));
    setTarget(recipe.level == Level::all ? ExportTarget::cpu : ExportTarget::portable);
    setAsItIs();
}

void ExportDialog::connectParts() {
    connect(
        preview_, &ExportPreview::reported, this,
        [this] {  // no line of it is cut off
            QWidget* box = preview_->parentWidget();
            box->layout()->activate();
            box->updateGeometry();
            layout()->invalidate();
            resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
        },
        Qt::QueuedConnection);
    connect(save_, &QPushButton::clicked, this, &ExportDialog::save);
    connect(copy_, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(command()); });
    connect(close_, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(targets_, &QButtonGroup::idClicked, this, &ExportDialog::refresh);
    connect(path_, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    for (QCheckBox* box : {external_, batched_})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
    for (QSpinBox* spin : {externalKb_, batch_})
        connect(spin, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    for (const auto& [name, spin] : dimensions_)
        connect(spin, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    connect(outputs_, &QListWidget::itemChanged, this, &ExportDialog::refresh);
}

ExportDialog::~ExportDialog() {
    if (job_) job_->cancel();
}

QWidget* ExportDialog::makeTargets() {
    auto* box = new QGroupBox(tr("For whom"));
    auto* column = new QVBoxLayout(box);
    const auto add = [&](int id, const QString& objectName, const QString& name,
                         const QString& description) {
        auto* choice = new QRadioButton(name);
        choice->setObjectName(objectName);
        choice->setFont(scaledFont(1.0, true));
        auto* about = new QLabel(description);
        about->setTextFormat(Qt::PlainText);
        about->setWordWrap(true);
        about->setIndent(24);
        about->setForegroundRole(QPalette::PlaceholderText);
        choice->setAccessibleDescription(about->text());
        targets_->addButton(choice, id);
        column->addWidget(choice);
        column->addWidget(about);
    };
    if (recipe_.isEditedAlone() && !recipe_.edits.empty())
        add(asItIsId, QStringLiteral("target_asItIs"), tr("As e&dited"),
            tr("What the edits make and nothing else: the file that lapidary-cli edit writes.\n"
               "Requires: what the model requires"));
    for (const ExportTargetInfo& info : export_targets()) {
        const QString name = info.target == ExportTarget::cpu     ? tr("&This CPU")
                             : info.target == ExportTarget::plain ? tr("P&lain ONNX")
                                                                  : tr("P&ortable");
        add(int(info.target), QStringLiteral("target_") + exactText(info.name), name,
            sentenceText(app::inWindowLanguage(std::string(info.summary))) + u'\n' +
                tr("Requires: %1")
                    .arg(sentenceText(app::inWindowLanguage(std::string(info.requirement)))));
    }
    contents_->setObjectName(QStringLiteral("exportContents"));
    contents_->setTextFormat(Qt::PlainText);
    contents_->setWordWrap(true);
    column->addWidget(contents_);
    column->addWidget(preview_);
    return box;
}

QWidget* ExportDialog::makeOptions() {
    auto* box = new QGroupBox(tr("Options"));
    auto* form = new QFormLayout(box);
    externalKb_->setRange(0, 2'000'000);
    externalKb_->setValue(1);
    externalKb_->setSuffix(tr(" kB"));
    externalKb_->setAccessibleName(tr("Smallest weight that goes into the file beside it"));
    external_->setObjectName(QStringLiteral("externalData"));
    external_->setToolTip(tr("Above 2 GB weights always go into a separate file"));
    form->addRow(external_, externalKb_);
    batch_->setRange(1, 1 << 20);
    batch_->setAccessibleName(tr("Batch size"));
    batched_->setObjectName(QStringLiteral("staticBatch"));
    batched_->setToolTip(
        tr("The first dimension of every input that has no number gets this size"));
    form->addRow(batched_, batch_);
    auto names = app::symbolicDimensions(baseSummary_);
    batched_->setEnabled(!names.empty());
    batch_->setEnabled(!names.empty());
    if (names.size() > mostDimensions) names.resize(mostDimensions);
    for (const std::string& name : names) {
        auto* spin = new QSpinBox;
        spin->setRange(0, 1 << 30);
        spin->setSpecialValueText(tr("stays free"));
        spin->setObjectName(QStringLiteral("fixed_") + labelText(name));
        spin->setAccessibleName(tr("Size of dimension %1").arg(labelText(name)));
        const auto given = recipe_.dimensions.find(name);
        if (given != recipe_.dimensions.end()) spin->setValue(int(given->second));
        form->addRow(tr("Dimension %1").arg(labelText(name, 40)), spin);
        dimensions_.emplace_back(name, spin);
    }
    outputs_->setObjectName(QStringLiteral("keptOutputs"));
    outputs_->setAccessibleName(tr("Outputs to keep"));
    for (const auto& [name, type] : baseSummary_.outputs) {
        auto* item = new QListWidgetItem(labelText(name), outputs_);
        item->setData(Qt::UserRole, exactText(name));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    }
    outputs_->setFixedHeight(fontMetrics().lineSpacing() * std::clamp(outputs_->count(), 2, 4) +
                             14);
    form->addRow(tr("Outputs to keep"), outputs_);
    return box;
}

void ExportDialog::setPath(const QString& path) { path_->setText(path); }
QString ExportDialog::path() const { return path_->text().trimmed(); }

void ExportDialog::setTarget(ExportTarget target) {
    if (auto* button = targets_->button(int(target))) button->setChecked(true);
    refresh();
}

ExportTarget ExportDialog::target() const {
    return isAsItIs() ? ExportTarget::portable
                      : static_cast<ExportTarget>(std::max(0, targets_->checkedId()));
}

void ExportDialog::setAsItIs() {
    if (auto* button = targets_->button(asItIsId)) button->setChecked(true);
    refresh();
}

bool ExportDialog::isAsItIs() const { return targets_->checkedId() == asItIsId; }

QStringList ExportDialog::keptOutputs() const {
    QStringList kept;
    for (int i = 0; i < outputs_->count(); ++i)
        if (outputs_->item(i)->checkState() == Qt::Checked)
            kept << outputs_->item(i)->data(Qt::UserRole).toString();
    return kept.size() == outputs_->count() ? QStringList() : kept;
}

ExportOptions ExportDialog::exportOptions() const {
    ExportOptions options;
    if (isAsItIs()) {
        options.optimize.level = Level::disabled;
        return options;
    }
    options.target = target();
    options.optimize = recipe_.options();
    options.optimize.near_misses = false;
    options.optimize.level = std::min(options.optimize.level, info_of(target()).level);
    for (const auto& [name, spin] : dimensions_) {
        if (spin->value() > 0) options.optimize.free_dimensions[name] = spin->value();
        else options.optimize.free_dimensions.erase(name);
    }
    for (const QString& name : keptOutputs())
        options.optimize.keep_outputs.push_back(name.toStdString());
    if (batched_->isChecked()) options.static_batch = batch_->value();
    return options;
}

SaveOptions ExportDialog::saveOptions() const {
    SaveOptions options;
    if (!isAsItIs() && external_->isChecked())
        options.external_data_min_bytes = std::uint64_t(externalKb_->value()) * 1000;
    return options;
}

QString ExportDialog::command() const {
    const ExportOptions options = exportOptions();
    app::Recipe recipe = recipe_;
    recipe.dimensions = options.optimize.free_dimensions;
    if (recipe.level) recipe.level = options.optimize.level;
    const auto& source = document_->model->path;
    const QString model =
        source.empty() ? document_->title + QStringLiteral(".onnx") : exactText(source.string());
    if (isAsItIs())
        return app::commandLine(recipe_, model, path(), {}) +
               (isSource() ? QStringLiteral(" --overwrite") : QString());
    QStringList extra{QStringLiteral("--target"), exactText(info_of(target()).name)};
    for (const QString& output : keptOutputs()) extra << QStringLiteral("--keep-output") << output;
    if (options.static_batch)
        extra << QStringLiteral("--static-batch") << QString::number(*options.static_batch);
    if (external_->isChecked())
        extra << QStringLiteral("--external-data")
              << QString::number(quint64(externalKb_->value()) * 1000);
    if (isSource()) extra << QStringLiteral("--overwrite");
    return app::commandLine(recipe, model, path(), extra);
}

bool ExportDialog::isSource() const {
    if (document_->model->path.empty() || path().isEmpty()) return false;
    std::error_code problem;
    return std::filesystem::equivalent(document_->model->path, toPath(path()), problem) && !problem;
}

QString ExportDialog::contentsText() const {
    const ExportTargetInfo& info = info_of(target());
    app::Recipe contained = recipe_;
    if (contained.level) contained.level = std::min(*recipe_.level, info.level);
    QString contents = contained.isOriginal() ? tr("Contains the model as it was opened.")
                       : contained.isQuantizedAlone()
                           ? tr("Contains the model quantized: %1.").arg(app::nameOf(contained))
                       : contained.isEditedAlone()
                           ? tr("Contains the edited model; lines of edits: %1.")
                                 .arg(parse_edit_script(contained.edits).lines.size())
                           : tr("Contains the model optimized: %1.").arg(app::nameOf(contained));
    if (recipe_.level > info.level)
        contents += u' ' + tr("This target goes no further than %1.").arg(app::nameOf(info.level));
    const app::Recipe inForce = workbench_.recipeInForce();
    if (!(inForce == recipe_)) contents += u' ' + tr("In force is %1.").arg(app::nameOf(inForce));
    if (const app::RunFigures* time = workbench_.timeOf(contained)) {
        const QString took = formatMedian(time->median_ms, time->low_ms, time->high_ms);
        // without a level of its own it was measured at the one of sessions
        contents +=
            u' ' + (contained.level ? tr("%1 takes %2 here.").arg(app::nameOf(contained), took)
                                    : tr("Run at level %1 it takes %2 here.")
                                          .arg(app::nameOf(contained.runLevel()), took));
    }
    return contents;
}

void ExportDialog::refresh() {
    options_->setEnabled(!isAsItIs());
    options_->setToolTip(isAsItIs() ? tr("The other targets have these options.") : QString());
    externalKb_->setEnabled(external_->isChecked());
    batch_->setEnabled(batched_->isChecked());
    contents_->setText(contentsText());
    app::Recipe contained = recipe_;
    if (contained.level) contained.level = std::min(*recipe_.level, info_of(target()).level);
    app::VariantPtr made = contained.isOriginal() ? workbench_.variants().original()
                                                  : workbench_.variants().find(contained);
    if (!made && recipe_.isBase()) {  // what runs here is optimized too
        contained = recipe_.running();
        made = workbench_.variants().find(contained);
    }
    preview_->look(base_, exportOptions(), recipe_.edits_after,
                   made ? std::int64_t(made->report.nodes_after) : 0,
                   made ? std::uint64_t(made->summary.weight_bytes) : 0);
    command_->setPlainText(tipText(command()));
    const bool none = outputs_->count() > 0 && keptOutputs().isEmpty() &&
                      std::ranges::none_of(std::views::iota(0, outputs_->count()), [this](int i) {
                          return outputs_->item(i)->checkState() == Qt::Checked;
                      });
    save_->setEnabled(!job_ && !path().isEmpty() && !none);
    for (QAbstractButton* button : targets_->buttons()) button->setEnabled(!job_);
    close_->setText(job_ ? tr("Cancel") : tr("Close"));
    progress_->setVisible(job_);
    if (none) status_->setText(tr("Keep at least one output."));
    else if (!job_ && status_->text() == tr("Keep at least one output.")) status_->clear();
}

void ExportDialog::choosePath() {
    auto* dialog = new QFileDialog(this, tr("Export to"), QFileInfo(path()).path());
    dialog->setObjectName(QStringLiteral("exportFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("onnx"));
    dialog->setNameFilters({tr("ONNX models (*.onnx)")});
    dialog->selectFile(QFileInfo(path()).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::setPath);
    dialog->open();
}

void ExportDialog::save() {
    if (!save_->isEnabled()) return;
    if (!isSource() && !QFileInfo::exists(path())) return write(false);
    auto* question = new QMessageBox(
        QMessageBox::Warning, tr("Export"),
        isSource()
            ? tr("This is the file that is open. Write the optimized model over the original?")
            : tr("%1 exists. Replace it?").arg(labelText(QFileInfo(path()).fileName(), 60)),
        QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("overwriteQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* replace = question->addButton(
        isSource() ? tr("&Overwrite the original") : tr("&Replace"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::buttonClicked, this, [this, replace](QAbstractButton* pressed) {
        if (pressed == replace) write(isSource());
    });
    question->open();
}

void ExportDialog::write(bool overSource) {
    SaveOptions saving = saveOptions();
    saving.overwrite_source = overSource;
    const QPointer<ExportDialog> dialog(this);
    const QString path = this->path();
    // notes; a cancel can come too late for them
    const auto written = std::make_shared<std::optional<QStringList>>();
    const auto reportWritten = [this, dialog, path, overSource,
                                &workbench = workbench_](const QStringList& notes) {
        if (overSource) workbench.protectOpenedFiles();
        if (!dialog) return;
        job_ = nullptr;
        status_->setText(
            sentenceText((QStringList{tr("✓ Wrote %1").arg(path)} + notes).join(u'\n')));
        refresh();
        emit saved(path, notes);
    };
    job_ = workbench_.jobs().start<QStringList>(
        tr("Export %1").arg(QFileInfo(path).fileName()),
        [engine = &workbench_.engine(),
         job =
             app::ExportJob{
                 base_, {}, exportOptions(), toPath(path), saving, isAsItIs(), recipe_.edits_after},
         written](const Progress& progress) {
            QStringList notes;
            for (const std::string& note : engine->call(job, progress).notes)
                notes << labelText(app::inWindowLanguage(note));
            *written = notes;
            return notes;
        },
        reportWritten,
        [this, dialog, written, reportWritten](const Error& error) {
            if (error.code() == ErrorCode::cancelled && *written) return reportWritten(**written);
            if (!dialog) return;
            job_ = nullptr;
            const QString reason = error.code() == ErrorCode::cancelled
                                       ? tr("The export was cancelled; nothing was written.")
                                       : tipText(error.what());
            status_->setText(sentenceText(QStringLiteral("✕ ") + reason));
            refresh();
            emit failed(reason);
        });
    status_->setText(tr("Exporting …"));
    refresh();
}

void ExportDialog::reject() {
    if (job_) job_->cancel();
    else QDialog::reject();
}

}  // namespace lapidary::views

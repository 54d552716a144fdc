// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/quantize_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QScrollArea>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

#include <lapidary/base/error.h>

#include "models/rows_model.h"
#include "optimize/export_dialog.h"
#include "quantize/decision_panel.h"
#include "quantize/goal_bar.h"
#include "quantize/layer_panel.h"
#include "quantize/output_panel.h"
#include "quantize/pareto_panel.h"
#include "quantize/program_panel.h"
#include "quantize/quantize_card.h"
#include "quantize/quantize_texts.h"
#include "quantize/range_panel.h"
#include "quantize/recipe_table.h"
#include "quantize/sample_strip.h"
#include "theme/theme.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/slot_bar.h"
#include "widgets/visible_tabs.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

/// True if the file holds labels instead of samples.
bool isLabelFile(const QString& path) {
    return path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
}

/// The folder or file of samples, or the file of labels, in a drag; empty: it holds none.
QString samplesIn(const QMimeData* data) {
    if (!data || isDraggedVariant(data) || !data->hasUrls() || data->urls().size() != 1) return {};
    const QString path = data->urls().first().toLocalFile();
    if (path.isEmpty()) return {};
    const QFileInfo info(path);
    static const QStringList endings{
        QStringLiteral("npz"), QStringLiteral("npy"),  QStringLiteral("png"),
        QStringLiteral("jpg"), QStringLiteral("jpeg"), QStringLiteral("pb"),
        QStringLiteral("wav"), QStringLiteral("txt"),  QStringLiteral("csv")};
    return info.isDir() || endings.contains(info.suffix().toLower()) ? path : QString();
}

}  // namespace

QuantizePage::QuantizePage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), quantizing_(workbench.quantizing()),
      stack_(new QStackedWidget), empty_(new EmptyState), banner_(new MessageBanner),
      goal_(new GoalBar(quantizing_)), samples_(new SampleStrip(quantizing_)),
      card_(new QuantizeCard(quantizing_)), tabs_(new QTabWidget), recipes_(new RecipeTable),
      use_(new QPushButton(themedIcon(QStringLiteral("check")), tr("Use this recipe"))),
      decisions_(new DecisionPanel(quantizing_, workbench.project().undoStack())),
      pareto_(new ParetoPanel), layers_(new LayerPanel), ranges_(new RangePanel),
      outputs_(new OutputPanel), program_(new ProgramPanel(workbench)) {
    setObjectName(QStringLiteral("quantizePage"));
    setAcceptDrops(true);
    makeActions();
    empty_->setMessage(QStringLiteral("quantize"), tr("No model is open"),
                       tr("Open a model or take a sample from the start page. Here it becomes "
                          "smaller and faster with "
                          "8-bit integers, and you see what that costs."));
    empty_->setButton(QStringLiteral("open"), tr("Open …"));
    connect(empty_, &EmptyState::clicked, this, &QuantizePage::openRequested);
    stack_->addWidget(empty_);
    stack_->addWidget(makeContent());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(banner_);
    layout->addWidget(stack_, 1);

    connect(&quantizing_, &app::Quantizing::changed, this, &QuantizePage::refresh);
    connect(&quantizing_, &app::Quantizing::failed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("The model could not be quantized"),
                             sentenceText(reason), reason);
    });
    connect(card_, &QuantizeCard::compareRequested, this, &QuantizePage::compare);
    connect(card_, &QuantizeCard::exportRequested, this, &QuantizePage::exportModel);
    connect(card_, &QuantizeCard::showRequested, this, &QuantizePage::showVariant);
    connect(recipes_, &RecipeTable::currentTrialChanged, this, &QuantizePage::refresh);
    connect(recipes_, &RecipeTable::trialActivated, &quantizing_, &app::Quantizing::use);
    const auto useChosen = [this] {
        if (const std::ptrdiff_t trial = recipes_->currentTrial(); trial >= 0)
            quantizing_.use(std::size_t(trial));
    };
    connect(use_, &QPushButton::clicked, this, useChosen);
    connect(pareto_, &ParetoPanel::useRequested, this, useChosen);
    connect(pareto_, &ParetoPanel::trialPicked, recipes_, &RecipeTable::setCurrentTrial);
    connect(decisions_, &DecisionPanel::nodeActivated, this, &QuantizePage::showNode);
    connect(layers_, &LayerPanel::nodeActivated, this, &QuantizePage::showNode);
    connect(card_, &QuantizeCard::reportRequested, this, &QuantizePage::chooseReport);
    connect(program_, &ProgramPanel::statusMessage, this, &Page::statusMessage);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        banner_->hide();
        refresh();
        if (isVisible()) shown();
    });
    connect(&workbench_, &app::Workbench::documentChanged, this, &QuantizePage::refresh);
    refresh();
}

void QuantizePage::makeActions() {
    const auto add = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                            const QString& tip) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(
            shortcut.isEmpty()
                ? tip
                : QStringLiteral("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
        action->setStatusTip(tip);
        action->setProperty("commandGroup", tr("Quantize"));
        actions_.append(action);
        return action;
    };
    start_ = add(tr("Quantize the model"), "run", QKeySequence(Qt::CTRL | Qt::Key_Return),
                 tr("Try recipes on the samples and keep the best"));
    stop_ = add(tr("Stop quantizing"), "cancel", {}, tr("Stop trying; the best so far is kept"));
    folder_ = add(tr("Choose samples …"), "open", {},
                  tr("Choose the folder of samples that ranges come from"));
    compare_ =
        add(tr("Compare quantized with float"), "split", {},
            tr("Put the float model in slot A, the quantized one in slot B, and open Compare"));
    export_ = add(tr("Export the quantized model …"), "export", {},
                  tr("Write the quantized model to a file"));
    report_ = add(tr("Save a report on the quantization …"), "export", {},
                  tr("Write an HTML page with sentence, recipes, layers, ranges and nodes"));
    copy_ =
        add(tr("Copy the quantize command"), "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
            tr("Copy the lapidary-cli command that does this search"));
    code_ = add(
        tr("Show the program for ONNX Runtime"), "file", {},
        tr("A Python program that does the same with ONNX Runtime's own tools, to copy or save"));
    connect(start_, &QAction::triggered, &quantizing_, &app::Quantizing::start);
    connect(stop_, &QAction::triggered, &quantizing_, &app::Quantizing::cancel);
    connect(folder_, &QAction::triggered, samples_, &SampleStrip::chooseFolder);
    connect(compare_, &QAction::triggered, this, &QuantizePage::compare);
    connect(export_, &QAction::triggered, this, &QuantizePage::exportModel);
    connect(report_, &QAction::triggered, this, &QuantizePage::chooseReport);
    connect(code_, &QAction::triggered, this, [this] { tabs_->setCurrentWidget(program_); });
    connect(copy_, &QAction::triggered, this, [this] {
        QApplication::clipboard()->setText(quantizing_.commandLine());
        emit statusMessage(tr("Copied: %1").arg(quantizing_.commandLine()));
    });
}

QWidget* QuantizePage::makeRecipes() {
    use_->setObjectName(QStringLiteral("useRecipe"));
    use_->setToolTip(plainToolTip(tr("Make the chosen recipe the result")));
    auto* hint = new QLabel(tr("Best first. SQNR: 20 dB is visible, 30 good, 40 very good."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setWordWrap(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 8, 4);
    bar->addWidget(hint, 1);
    bar->addWidget(use_);
    auto* panel = new QWidget;
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(recipes_, 1);
    return panel;
}

QWidget* QuantizePage::makeContent() {
    tabs_->setObjectName(QStringLiteral("quantizeTabs"));
    keepTabsVisible(*tabs_);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Details of the quantization"));
    tabs_->addTab(makeRecipes(), tr("&Recipes"));
    tabs_->addTab(decisions_, tr("&Nodes"));
    tabs_->addTab(pareto_, tr("Tra&de-offs"));
    tabs_->addTab(layers_, tr("La&yers"));
    tabs_->addTab(ranges_, tr("Rang&es"));
    tabs_->addTab(outputs_, tr("&Outputs"));
    tabs_->addTab(program_, tr("&Program"));
    tabs_->setMinimumHeight(fontMetrics().height() * 12);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(goal_);
    column->addWidget(samples_);
    column->addWidget(card_);
    column->addWidget(tabs_, 1);
    auto* scroll = new QScrollArea;  // at 200 % the page is higher than a small window
    scroll->setObjectName(QStringLiteral("quantizeScroll"));
    scroll->setAccessibleName(tr("Quantize"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    return scroll;
}

void QuantizePage::shown() {
    // The first look at the samples; setChoice() with the same choice does nothing.
    if (workbench_.opened() && !quantizing_.preview() && quantizing_.previewFailure().isEmpty() &&
        !quantizing_.isPreviewing())
        quantizing_.previewSamples();
}

void QuantizePage::refresh() {
    const bool open = workbench_.opened() != nullptr, running = quantizing_.isRunning();
    const auto record = quantizing_.record();
    stack_->setCurrentIndex(open ? 1 : 0);
    start_->setEnabled(open && !running);
    stop_->setEnabled(running);
    folder_->setEnabled(open && !running);
    const bool ready = !running && quantizing_.variant();
    compare_->setEnabled(ready);
    export_->setEnabled(ready);
    report_->setEnabled(!running && record && record->best >= 0);
    copy_->setEnabled(open && !quantizing_.commandLine().isEmpty());
    code_->setEnabled(open);
    if (sender() != recipes_) {
        recipes_->setRecord(record.get());
        outputs_->setRecord(record.get());
        layers_->setRecord(record.get());
        ranges_->setRecord(record.get());
        pareto_->setRecord(record.get());
    }
    const std::ptrdiff_t chosen = recipes_->currentTrial();
    pareto_->setCurrentTrial(chosen);
    use_->setEnabled(record && !running && chosen >= 0 &&
                     chosen < std::ptrdiff_t(record->trials.size()) && chosen != record->best &&
                     record->trials[std::size_t(chosen)].failure.empty());
    pareto_->setUsable(use_->isEnabled());
}

void QuantizePage::compare() {
    const app::VariantPtr quantized = quantizing_.variant();
    if (!quantized) return;
    // at the level of the quantized model, so that only the quantization differs
    app::Recipe plain = app::Recipe::plain(quantized->recipe.runLevel());
    plain.edits = quantized->recipe.edits;
    const app::VariantPtr optimized = workbench_.variants().find(plain);
    QUndoStack& history = workbench_.project().undoStack();
    history.beginMacro(tr("compare quantized with float"));
    workbench_.project().setSlot(app::Slot::A,
                                 optimized ? optimized : workbench_.variants().original());
    workbench_.project().setSlot(app::Slot::B, quantized);
    history.endMacro();
    emit pageRequested(QStringLiteral("compare"));
}

void QuantizePage::exportModel() {
    const auto recipe = quantizing_.recipe(false);
    if (!recipe || !quantizing_.variant()) return;
    auto* dialog = new ExportDialog(workbench_, *recipe, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::saved, this,
            [this](const QString& path) { emit statusMessage(tr("Wrote %1").arg(path)); });
    dialog->open();
}

void QuantizePage::chooseReport() {
    if (!quantizing_.record() || !workbench_.opened()) return;
    auto* dialog = new QFileDialog(this, tr("Save a report on the quantization"));
    dialog->setObjectName(QStringLiteral("quantizeReportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("HTML page (*.html)"));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(QFileInfo(workbench_.opened()->title).completeBaseName() +
                       QStringLiteral(".quantized.html"));
    connect(dialog, &QFileDialog::fileSelected, this, &QuantizePage::saveReport);
    dialog->open();
}

void QuantizePage::saveReport(const QString& path) {
    const auto record = quantizing_.record();
    if (!record || !workbench_.opened()) return;
    try {
        save_quantize_report(reportOf(*record, workbench_.opened()->title), path.toStdString());
        emit statusMessage(tr("Wrote %1").arg(path));
    } catch (const Error& error) {
        banner_->showMessage(MessageBanner::Kind::error, tr("The report could not be written"),
                             sentenceText(error.what()), exactText(error.what()));
    }
}

void QuantizePage::showVariant() {
    const app::VariantPtr quantized = quantizing_.variant();
    if (!quantized) return;
    workbench_.showVariant(quantized);
    emit pageRequested(QStringLiteral("graph"));
}

void QuantizePage::showNode(const QString& name) {
    const app::DocumentPtr document = workbench_.document();
    if (!document) return;
    const std::string wanted = name.toStdString();
    const Graph& graph = document->model->graph;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const bool fits =
            node.name == wanted || (node.name.empty() && !node.outputs.empty() && node.outputs[0] &&
                                    graph.value(node.outputs[0]).name == wanted);
        if (!fits) continue;
        workbench_.focusNode(id);
        emit pageRequested(QStringLiteral("graph"));
        return;
    }
    emit statusMessage(tr("The shown model has no node %1.").arg(labelText(name, 80)));
}

void QuantizePage::dragEnterEvent(QDragEnterEvent* event) {
    if (workbench_.opened() && !quantizing_.isRunning() && !samplesIn(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void QuantizePage::dropEvent(QDropEvent* event) {
    const QString path = samplesIn(event->mimeData());
    if (path.isEmpty() || quantizing_.isRunning()) return;
    event->acceptProposedAction();
    if (isLabelFile(path)) samples_->setLabels(path);
    else samples_->setData(path);
}

}  // namespace lapidary::views

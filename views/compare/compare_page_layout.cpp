// SPDX-License-Identifier: GPL-3.0-or-later
// How the Compare page is put together: panels, suggestions, actions.
#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>

#include <lapidary/base/error.h>

#include "compare/code_panel.h"
#include "compare/compare_page.h"
#include "compare/comparison_report.h"
#include "compare/difference_panel.h"
#include "compare/difference_tables.h"
#include "compare/distribution_view.h"
#include "compare/engine_panel.h"
#include "compare/graph_pair.h"
#include "compare/machine_panel.h"
#include "compare/memory_overlay.h"
#include "compare/module_waterfall.h"
#include "compare/summary_cards.h"
#include "compare/variants/variant_panel.h"
#include "panels/notes_panel.h"
#include "start/drop_zone.h"
#include "theme/theme.h"
#include "widgets/cards/card_button.h"
#include "widgets/choices/channel_block_box.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/text/proposed_name.h"
#include "widgets/choices/slot_bar.h"
#include "widgets/visible_tabs.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/job_command.h"
#include "workbench/project/project.h"
#include "worker/jobs/open_job.h"

namespace lapidary::views {
namespace {

/// The first local archive or folder of a drag, as recordings are; empty: it has none.
QString droppedRecording(const QMimeData* data) {
    for (const QUrl& url : data->urls()) {
        const QString file = url.isLocalFile() ? url.toLocalFile() : QString();
        if (file.endsWith(QLatin1String(".npz"), Qt::CaseInsensitive) || QFileInfo(file).isDir())
            return file;
    }
    return {};
}

}  // namespace

void ComparePage::makeActions() {
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
        action->setProperty("commandGroup", tr("Compare"));
        actions_.append(action);
        return action;
    };
    app::Comparison* comparison = &workbench_.comparison();
    start_ = add(tr("Compare A and B"), "run", QKeySequence(Qt::CTRL | Qt::Key_Return),
                 tr("Measure A and B in turn, profile both and compare their outputs"));
    swap_ = add(tr("Swap A and B"), "sideways", QKeySequence(Qt::ALT | Qt::Key_X),
                tr("Let A and B change places"));
    copy_ = add(tr("Copy the comparison as command"), "copy",
                QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C),
                tr("Copy the lapidary-cli command that repeats this comparison"));
    against_ = add(tr("Compare with ONNX Runtime"), "split", {},
                   tr("Take the model in your own ONNX Runtime, at its highest level, for B"));
    runtime_ = add(tr("Choose an ONNX Runtime …"), "file", {},
                   tr("Take the model in the ONNX Runtime of a library or a Python interpreter, at "
                      "its highest level, for B"));
    second_ =
        add(tr("Take a file for B …"), "open", {},
            tr("Take another ONNX file for B; a file that is dropped on this page does the same"));
    report_ = add(tr("Save report …"), "export", {},
                  tr("Write one HTML file with graph, timeline and tables that needs no other file "
                     "and no network"));
    tables_ =
        add(tr("Save all tables …"), "table", {},
            tr("Write every table of the comparison as CSV, and all of it as JSON, into a folder"));
    connect(start_, &QAction::triggered, comparison, &app::Comparison::start);
    connect(swap_, &QAction::triggered, &workbench_.project(), &app::Project::swapSlots);
    connect(against_, &QAction::triggered, this, [this] { suggest(app::onnxRuntimeRecipe()); });
    connect(runtime_, &QAction::triggered, this, &ComparePage::chooseRuntime);
    connect(second_, &QAction::triggered, this, &ComparePage::chooseSecond);
    connect(copy_, &QAction::triggered, this, [this, comparison] {
        if (!comparison->isPossible()) return;
        QApplication::clipboard()->setText(
            app::comparisonCommand(workbench_.opened()->source, *comparison->a(), *comparison->b(),
                                   workbench_.runSettings()));
        emit statusMessage(tr("The command is on the clipboard."));
    });
    connect(report_, &QAction::triggered, this, &ComparePage::chooseReport);
    connect(tables_, &QAction::triggered, this, &ComparePage::chooseTables);
    for (QAction* action : {second_, against_, runtime_, copy_, report_, tables_})
        slots_->addTool(action);
}

/// Shown instead of the results while A and B are not two different variants.
QWidget* ComparePage::makeSuggestions() {
    auto* title = new QLabel(tr("Choose B"));
    title->setFont(scaledFont(1.3, true));
    auto* text =
        new QLabel(tr("A is what B is compared with. Choose two different variants above, drag "
                      "them here from the "
                      "Variants dock, or take one of these for B:"));
    text->setWordWrap(true);
    text->setForegroundRole(QPalette::PlaceholderText);
    auto* grid = new CardGrid(fontMetrics().averageCharWidth() * 34);
    const auto card = [&](const app::Recipe& recipe, const QString& sentence, const char* name) {
        auto* button =
            new CardButton(themedIcon(QStringLiteral("optimize")), app::nameOf(recipe), sentence);
        button->setObjectName(QLatin1String(name));
        connect(button, &QAbstractButton::clicked, this, [this, recipe] { suggest(recipe); });
        grid->addCard(button);
    };
    const auto level = [](Level at) {
        app::Recipe recipe;
        recipe.level = at;
        return recipe;
    };
    card(level(Level::basic),
         tr("Constants folded, needless nodes removed: plain ONNX that runs anywhere."),
         "suggestBasic");
    card(level(Level::extended),
         tr("Fused operators on top: attention, GELU, layer normalization …"), "suggestExtended");
    card(level(Level::all), tr("Laid out for this processor as well: usually the fastest."),
         "suggestAll");
    card(app::onnxRuntimeRecipe(), tr("The model in your own ONNX Runtime, where one is found."),
         "suggestOnnxRuntime");
    auto* other = new CardButton(
        themedIcon(QStringLiteral("open")), tr("A second model"),
        tr("Another ONNX file with the same inputs: side by side by the names of nodes."));
    other->setObjectName(QStringLiteral("suggestSecond"));
    connect(other, &QAbstractButton::clicked, this, &ComparePage::chooseSecond);
    grid->addCard(other);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(32, 32, 32, 32);
    layout->setSpacing(12);
    layout->addStretch(1);
    for (QWidget* widget : std::initializer_list<QWidget*>{title, text, grid})
        layout->addWidget(widget);
    layout->addStretch(3);
    return page;
}

QWidget* ComparePage::makeContent() {
    verdict_->setObjectName(QStringLiteral("compareVerdict"));
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setFont(scaledFont(1.1, true));
    verdict_->setWordWrap(true);
    verdict_->setContentsMargins(12, 2, 12, 6);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    verdict_->setAccessibleName(tr("Verdict"));
    profileNote_->setObjectName(QStringLiteral("compareProfileNote"));
    profileNote_->setForegroundRole(QPalette::PlaceholderText);
    profileNote_->setContentsMargins(12, 2, 12, 4);
    profileNote_->hide();
    operators_->setEmptyText(
        tr("Press Compare: both variants are profiled, and the bars lead from the time of A to the "
           "time of B."));
    tabs_->setObjectName(QStringLiteral("compareTabs"));
    keepTabsVisible(*tabs_);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("What makes the difference"));
    const auto add = [this](QWidget* page, const QString& whole, const QString& brief) {
        setTabTitle(*tabs_, tabs_->addTab(page, whole), whole, brief);
    };
    add(modules_, tr("&Parts"), tr("&Parts"));
    add(timelines_, tr("T&imelines"), tr("T&imes"));
    add(operators_, tr("&Operators"), tr("&Ops"));
    add(nodes_, tr("&Nodes"), tr("&Nodes"));
    add(distribution_, tr("&Distribution"), tr("Sprea&d"));
    add(memory_, tr("&Memory"), tr("&Memory"));
    add(counts_, tr("&Graph"), tr("&Graph"));
    add(pair_, tr("Side &by side"), tr("&Both"));
    add(outputs_, tr("O&utputs"), tr("O&utputs"));
    add(difference_, tr("&Where it starts"), tr("&Where"));
    auto* variants = new VariantPanel(workbench_);
    connect(variants, &VariantPanel::pairShown, this,
            [this] { tabs_->setCurrentWidget(modules_); });
    add(variants, tr("&Variants"), tr("&All"));
    add(engines_, tr("Engine&s"), tr("Engine&s"));
    add(new MachinePanel(workbench_), tr("Mac&hines"), tr("&Hosts"));
    add(code_, tr("Cod&e"), tr("Cod&e"));
    add(new NotesPanel(workbench_, QStringLiteral("compareNotes")), tr("No&tes"), tr("No&tes"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(verdict_);
    column->addWidget(cards_);
    column->addWidget(profileNote_);
    column->addWidget(tabs_, 1);
    empty_->setMessage(QStringLiteral("split"), tr("No model is open"),
                       tr("Open an ONNX model or take a sample from the start page; then two of "
                          "its variants can be compared here."));
    empty_->setButton(QStringLiteral("open"), tr("Open …"));
    suggestions_ = makeSuggestions();
    stack_->addWidget(empty_);
    stack_->addWidget(suggestions_);
    stack_->addWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(slots_);
    layout->addWidget(banner_);
    layout->addWidget(stack_, 1);
    return content;
}

void ComparePage::chooseSecond() {
    if (!workbench_.opened()) return emit openRequested();
    auto* dialog = new QFileDialog(window(), tr("A second model"));
    dialog->setObjectName(QStringLiteral("secondModelDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Models (*.onnx *.ort)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ComparePage::openSecond);
    dialog->open();
}

void ComparePage::chooseRuntime() {
    if (!workbench_.opened()) return emit openRequested();
    auto* dialog = new QFileDialog(window(), tr("An ONNX Runtime"));
    dialog->setObjectName(QStringLiteral("onnxRuntimeDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Libraries and interpreters (*.so *.so.* *.dylib *.dll python*)"),
                            tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ComparePage::takeRuntime);
    dialog->open();
}

void ComparePage::takeRuntime(const QString& path) {
    app::Recipe recipe = app::onnxRuntimeRecipe();
    recipe.runs_on->place = std::filesystem::path(path.toStdU16String());
    banner_->hide();
    suggest(recipe);
}

void ComparePage::openSecond(const QString& path) {
    if (!workbench_.opened()) return;
    workbench_.noteFile(path);
    struct Looked {
        app::OtherModel other;
        QString problem;  // why the block of its channels is not known; empty: it is
    };
    secondJob_.start<Looked>(
        workbench_.jobs(), tr("Look at %1").arg(QFileInfo(path).fileName()),
        [&engine = workbench_.engine(),
         file = std::filesystem::path(path.toStdU16String())](const Progress& progress) {
            Looked looked{app::other_model(file), {}};
            app::ModelSource source;
            source.file = file;
            const app::OpenedFile opened = open_model(engine, source, progress);
            if (!opened.faults.empty())
                throw Error(ErrorCode::invalid_model,
                            opened.model->graph.node(opened.faults.front().node).describe() + ": " +
                                opened.faults.front().message)
                    .at(file.string());
            looked.problem = tipText(opened.layout_problem);
            return looked;
        },
        [this, path](const Looked& looked) {
            const auto take = [this](app::OtherModel other, int block) {
                other.channel_block = block;
                app::Recipe recipe;
                recipe.other_model = std::move(other);
                banner_->hide();
                suggest(recipe);
            };
            if (looked.problem.isEmpty()) return take(looked.other, 0);
            askChannelBlock(this, path, looked.problem,
                            [take, other = looked.other](int block) { take(other, block); });
        },
        [this, path](const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                banner_->showMessage(
                    MessageBanner::Kind::error,
                    tr("%1 could not be opened").arg(labelText(QFileInfo(path).fileName())),
                    tipText(error.what()));
        });
}

/// If a model is open, a file that is dropped here becomes B, and a recording is checked; otherwise
/// the window opens it.
void ComparePage::dragEnterEvent(QDragEnterEvent* event) {
    if (!workbench_.opened()) return;
    const QStringList files = openableFiles(event->mimeData());
    if ((!files.isEmpty() && isModelFile(files.first())) ||
        !droppedRecording(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ComparePage::dropEvent(QDropEvent* event) {
    if (const QString recording = droppedRecording(event->mimeData()); !recording.isEmpty()) {
        event->acceptProposedAction();
        return checkRecording(recording);
    }
    const QStringList files = openableFiles(event->mimeData());
    if (files.isEmpty()) return;
    event->acceptProposedAction();
    openSecond(files.first());
}

void ComparePage::chooseReport() {
    auto* dialog = new QFileDialog(window(), tr("Save report"));
    dialog->setObjectName(QStringLiteral("saveReportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->setNameFilters({tr("HTML page (*.html)")});
    dialog->selectFile(proposedName(*this, QStringLiteral("comparison")) + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this, &ComparePage::saveReport);
    dialog->open();
}

void ComparePage::chooseTables() {
    auto* dialog = new QFileDialog(window(), tr("Save all tables into a folder"));
    dialog->setObjectName(QStringLiteral("saveTablesDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &ComparePage::saveTables);
    dialog->open();
}

}  // namespace lapidary::views

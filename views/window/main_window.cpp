// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include <QActionGroup>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "models/rows_model.h"
#include "page_headers.inc"
#include "panels/inspector_panel.h"
#include "panels/log_panel.h"
#include "panels/problems_panel.h"
#include "panels/tasks_panel.h"
#include "panels/values/value_viewer.h"
#include "panels/variants_panel.h"
#include "run/inputs_drawer.h"
#include "start/drop_zone.h"
#include "theme/theme.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/model_choices.h"
#include "widgets/noise_meter.h"
#include "widgets/text/proposed_name.h"
#include "widgets/visible_tabs.h"
#include "window/check_label.h"
#include "window/find/command_palette.h"
#include "window/fault_cover.h"
#include "window/mode_rail.h"
#include "window/quiet_docks.h"
#include "window/help/tour.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"
#include "workbench/project/settings.h"

namespace lapidary::views {
namespace {

constexpr int state_version = 2;                  // raise when docks or toolbars change their names
constexpr qsizetype longest_task = 60;            // characters in the status bar
constexpr qsizetype longest_reason = 200;         // in the status bar
constexpr int longest_message_ms = 20'000;        // of a page, in the status bar
constexpr qsizetype longest_title = 120;          // characters of the names in the title bar
constexpr const char* key_of_page = "keyOfPage";  // property of an action
constexpr QSize first_size{1400, 900};
constexpr int least_inspector_width = 160;  // with less its rows are a word wide

/// Ctrl+1 to Ctrl+9; Alt+0 is the tenth, because pages have Ctrl+0 for the zoom.
QKeySequence keyOfPage(int index) {
    return index < 9 ? QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + index))
                     : QKeySequence(Qt::ALT | Qt::Key_0);
}

/// Asks the page that is shown alone how large it wants to be: asking all of them lays out the
/// texts of all pages whenever a label of one changes.
class PageStack : public QStackedWidget {
public:
    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override {
        return currentWidget() ? currentWidget()->sizeHint() : QStackedWidget::sizeHint();
    }
    QSize minimumSizeHint() const override {
        return currentWidget() ? currentWidget()->minimumSizeHint()
                               : QStackedWidget::minimumSizeHint();
    }
};

}  // namespace

MainWindow::MainWindow(app::Workbench& workbench, QWidget* parent)
    : QMainWindow(parent), workbench_(workbench), rail_(new ModeRail), stack_(new PageStack),
      banner_(new MessageBanner), projectBanner_(new MessageBanner),
      palette_(new CommandPalette(workbench, this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setWindowIcon(QIcon(QStringLiteral(":/icons/lapidary.svg")));

    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    projectBanner_->setObjectName(QStringLiteral("projectBanner"));
    column->addWidget(projectBanner_);
    column->addWidget(banner_);
    column->addWidget(stack_, 1);
    setCentralWidget(centre);

    makePages();
    makeDocks();
    tour_ = new Tour(*this, workbench_);
    connect(qobject_cast<StartPage*>(page(QStringLiteral("start"))), &StartPage::tourRequested,
            tour_, &Tour::start);
    makeActions();
    loadKeys();
    makeStatusBar();
    connectWorkbench();
    connectProject();
    connectPalette();
    refreshTitle();
    refreshActions();

    resize(first_size);
    resizeDocks({variantsDock_, inspectorDock_}, {220, 320}, Qt::Horizontal);
    resizeDocks({bottomDock_}, {150}, Qt::Vertical);
    for (QDockWidget* dock : {variantsDock_, bottomDock_}) dock->hide();
    initialState_ = saveState(state_version);
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), state_version);
    dockSizes_.load();
    showPage(pageIds_.value(0));
}

MainWindow::~MainWindow() = default;

void MainWindow::makePages() {
    auto* group = new QActionGroup(this);
    undo_ = new QUndoGroup(this);
    undo_->addStack(&workbench_.project().undoStack());
    undo_->setActiveStack(&workbench_.project().undoStack());
    const auto add = [&](const QString& id, Page* page, const QString& title, const QString& icon) {
        auto* action = new QAction(themedIcon(icon), title, this);
        action->setCheckable(true);
        action->setData(id);
        action->setShortcut(keyOfPage(int(pageIds_.size())));
        action->setProperty("commandGroup", tr("Show page"));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, id] { showPage(id); });
        rail_->addPage(action);
        stack_->addWidget(page);
        pageIds_.append(id);
        pages_.insert(id, page);
        pageSwitches_.append(action);
        for (QAction* own : page->pageActions())
            own->setProperty(key_of_page, own->shortcutContext() == Qt::WidgetWithChildrenShortcut);
        connect(page, &Page::pageRequested, this, [this](const QString& wanted) {
            const QString id = wanted.section(u'/', 0, 0), part = wanted.section(u'/', 1);
            id == QLatin1String("graph") ? arriveOnGraph() : void(showPage(id));
            if (Page* shown = pages_.value(id); shown && !part.isEmpty()) shown->showPart(part);
        });
        connect(page, &Page::badgeChanged, this,
                [this, id](int count, const QString& what, bool isWrong) {
                    rail_->button(id)->setBadge(count, what, isWrong);
                });
        connect(page, &Page::openRequested, this, &MainWindow::chooseFile);
        connect(page, &Page::statusMessage, this, [this](const QString& text) {
            statusBar()->showMessage(labelText(text), longest_message_ms);
        });
    };
#define LAPIDARY_PAGE(id, Class, title, icon, header)                                            \
    add(QStringLiteral(#id), new Class(workbench_), QCoreApplication::translate("Pages", title), \
        QStringLiteral(icon));
#include "view_list.inc"
#undef LAPIDARY_PAGE
    cover_ = new FaultCover(workbench_);
    stack_->addWidget(cover_);
    connect(cover_, &FaultCover::nodeRequested, this, [this] { arriveOnGraph(); });
}

void MainWindow::makeDocks() {
    const auto add = [this](const char* name, const QString& title, const char* icon,
                            QWidget* content, Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(QLatin1String(name));
        dock->setWidget(content);
        addDockWidget(area, dock);
        QAction* toggle = dock->toggleViewAction();
        toggle->setIcon(themedIcon(QLatin1String(icon)));
        toggle->setToolTip(tr("Show or hide the panel %1").arg(title));
        toggle->setStatusTip(toggle->toolTip());
        rail_->addPanel(toggle);
        return dock;
    };
    auto* variants = new VariantsPanel(workbench_);
    variantsDock_ =
        add("variantsDock", tr("Variants"), "variants", variants, Qt::LeftDockWidgetArea);
    connect(&variants->exports(), &app::ExportedFiles::failed, this,
            [this](const QString& name, const QString& why) {
                banner_->showMessage(MessageBanner::Kind::error,
                                     tr("%1 was not exported").arg(labelText(name)), why, why);
            });
    InspectorPanel* const inspector = inspector_ = new InspectorPanel(workbench_);
    inspector->setMinimumWidth(least_inspector_width);
    inspectorDock_ =
        add("inspectorDock", tr("Inspector"), "inspector", inspector, Qt::RightDockWidgetArea);
    connect(inspector, &InspectorPanel::saved, this,
            [this](const QString& path, const QString& failure) {
                if (failure.isEmpty())
                    return statusBar()->showMessage(labelText(tr("Saved %1").arg(path)), 5000);
                banner_->showMessage(MessageBanner::Kind::error, tr("The tensor was not saved"),
                                     failure, failure);
            });
    connect(inspector, &InspectorPanel::requested, this, &MainWindow::answer);

    auto* tabs = new QTabWidget;
    tabs->setObjectName(QStringLiteral("bottomTabs"));
    keepTabsVisible(*tabs);
    tabs->setAccessibleName(tr("Problems · Log · Tasks"));
    tabs->setDocumentMode(true);
    auto* problems = new ProblemsPanel(workbench_);
    tabs->addTab(problems, themedIcon(QStringLiteral("warning")), tr("Problems"));
    tabs->addTab(new LogPanel(workbench_), themedIcon(QStringLiteral("log")), tr("Log"));
    tabs->addTab(new TasksPanel(workbench_), themedIcon(QStringLiteral("tasks")), tr("Tasks"));
    connect(problems, &ProblemsPanel::countChanged, tabs, [tabs](int count) {
        tabs->setTabText(0, count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems"));
    });
    bottomDock_ =
        add("bottomDock", tr("Problems · Log · Tasks"), "log", tabs, Qt::BottomDockWidgetArea);
    quietDocks_ = new QuietDocks(workbench_, *variantsDock_, *bottomDock_, *tabs, *problems, this);
}

void MainWindow::makeStatusBar() {
    taskText_ = new QLabel;
    taskText_->setTextFormat(Qt::PlainText);
    taskBar_ = new QProgressBar;
    taskBar_->setFixedWidth(160);
    taskBar_->setTextVisible(false);
    taskBar_->setAccessibleName(tr("Progress of the newest task"));
    taskCancel_ = new QToolButton;
    taskCancel_->setDefaultAction(cancel_);
    taskCancel_->setAutoRaise(true);
    taskCancel_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    statusBar()->addPermanentWidget(new CheckLabel(workbench_));
    statusBar()->addPermanentWidget(quietDocks_->button());
    statusBar()->addPermanentWidget(taskText_);
    statusBar()->addPermanentWidget(taskBar_);
    statusBar()->addPermanentWidget(taskCancel_);
    statusBar()->addPermanentWidget(new NoiseMeter(new app::NoiseMonitor(workbench_.jobs())));
    refreshTasks();
}

void MainWindow::answer(const InspectorRequest& request) {
    auto* graph = qobject_cast<GraphPage*>(page(QStringLiteral("graph")));
    switch (request.kind) {
    case InspectorRequest::Kind::find:
        showPage(QStringLiteral("graph"));
        return graph->search(request.query);
    case InspectorRequest::Kind::mark:
        showPage(QStringLiteral("graph"));
        return graph->mark(request.nodes);
    case InspectorRequest::Kind::showGroup:
        showPage(QStringLiteral("graph"));
        return graph->showGroup(request.group);
    case InspectorRequest::Kind::lookInside: return lookInside();
    default: showConvert(request.kind);
    }
}

bool MainWindow::showPage(const QString& id) {
    const qsizetype index = pageIds_.indexOf(id);
    if (index < 0) return false;
    Page* page = pages_.value(id);
    const bool works = !page->needsSoundModel() || workbench_.faultText().isEmpty();
    if (current_ != id) {
        statusBar()->clearMessage();  // the message was about the previous page
        if (isVisible() && shownState_.isEmpty()) dockSizes_.leave(current_);
    }
    const bool enters = isVisible() && current_ != id;
    current_ = id;
    if (!works) cover_->cover(pageSwitches_[index]->text());
    stack_->setCurrentWidget(works ? static_cast<QWidget*>(page) : cover_);
    stack_->updateGeometry();
    pageSwitches_[index]->setChecked(true);
    armKeys(works ? page : nullptr);
    hideDocks(id == QLatin1String("start") && !workbench_.document() && !workbench_.run());
    if (enters && shownState_.isEmpty()) dockSizes_.enter(id);
    if (id != QLatin1String("start")) workbench_.project().setPage(id);
    inspector_->enterPage(works && page->showsFocus());
    if (works) page->shown();
    return true;
}

/// The keys of the page that is shown work wherever the focus is, in a dock too; those of other
/// pages nowhere.
void MainWindow::armKeys(const Page* shown) {
    for (const Page* page : pages_)
        for (QAction* action : page->pageActions())
            if (action->property(key_of_page).toBool())
                action->setShortcutContext(page == shown ? Qt::WindowShortcut
                                                         : Qt::WidgetWithChildrenShortcut);
}

/// Commands get the keys that the user chose for them.
void MainWindow::loadKeys() {
    for (const QString& id : pageIds_)
        for (QAction* action : pages_.value(id)->pageActions()) keys_.add(action, id);
    for (QAction* action : commands()) keys_.add(action, {});
    keys_.load();
}

/// While nothing is open the start page has the window to itself; the docks come back as they were.
void MainWindow::hideDocks(bool hide) {
    if (hide == !shownState_.isEmpty()) return;
    if (hide) {
        shownState_ = saveState(state_version);
        for (QDockWidget* dock : {variantsDock_, inspectorDock_, bottomDock_}) dock->hide();
    } else {
        restoreState(std::exchange(shownState_, {}), state_version);
    }
}

void MainWindow::refreshTitle() {
    const auto document = workbench_.document();
    const QString project = workbench_.project().title();
    // "[*]" is the place of the mark for unsaved changes.
    QString title = document ? document->title : QString();
    if (!project.isEmpty()) title = title.isEmpty() ? project : tr("%1 (%2)").arg(project, title);
    setWindowTitle(title.isEmpty() ? tr("Lapidary[*]")
                                   : tr("%1[*] — Lapidary").arg(labelText(title, longest_title)));
    setWindowFilePath(!project.isEmpty() ? workbench_.project().path()
                      : document         ? exactText(document->model->path.string())
                                         : QString());
    setWindowModified(workbench_.project().isModified());
    setProperty(model_title_property, document ? document->title : QString());
}

/// Enables the Run button; if no run is possible, its tool tip says why.
void MainWindow::refreshRun() {
    const QString fault = workbench_.faultText();
    const QString why = !workbench_.document()   ? tr("There is nothing to run: open a model first")
                        : workbench_.isRunning() ? tr("It runs already")
                        : fault.isEmpty()
                            ? QString()
                            : tr("The model is not valid and cannot run: %1").arg(fault);
    run_->setEnabled(why.isEmpty());
    const QString key = run_->shortcut().toString(QKeySequence::NativeText);
    const QString tip = key.isEmpty() ? runTip_ : QStringLiteral("%1 (%2)").arg(runTip_, key);
    run_->setToolTip(plainToolTip(why.isEmpty() ? tip : why));
    run_->setStatusTip(why.isEmpty() ? runTip_ : labelText(why, longest_reason));
}

void MainWindow::refreshActions() {
    refreshRun();
    const bool sound = workbench_.opened() && workbench_.faultText().isEmpty();
    convert_->setEnabled(sound);
    edit_->setEnabled(workbench_.opened() && workbench_.opened()->faults.empty());
    second_->setEnabled(sound);
    cancel_->setEnabled(!workbench_.jobs().jobs().isEmpty());
    saveTrace_->setEnabled(workbench_.run() != nullptr);
    inside_->setEnabled(ValueViewer::canLookAt(workbench_));
    const app::Project& project = workbench_.project();
    const bool anything = workbench_.opened() || !project.notes().isEmpty();
    new_->setEnabled(anything || !project.path().isEmpty());
    save_->setEnabled(anything && (project.isModified() || project.path().isEmpty()) &&
                      !project.isSaving());
    saveAs_->setEnabled(anything && !project.isSaving());
}

void MainWindow::refreshTasks() {
    const auto jobs = workbench_.jobs().jobs();
    taskText_->setVisible(!jobs.isEmpty());
    taskBar_->setVisible(!jobs.isEmpty());
    taskCancel_->setVisible(!jobs.isEmpty());
    if (jobs.isEmpty()) return;
    const app::Job* job = jobs.last();
    taskText_->setText(
        labelText(QStringLiteral("%1: %2").arg(job->title(), job->stage()), longest_task));
    taskBar_->setRange(0, job->fraction() < 0 ? 0 : 1000);
    if (job->fraction() >= 0) taskBar_->setValue(int(job->fraction() * 1000));
}

void MainWindow::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Open"));
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Everything that opens (*.onnx *.ort *.lapidary *.json)"),
                            tr("Models (*.onnx *.ort)"), tr("Lapidary projects (*.lapidary)"),
                            tr("Chrome traces (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, &workbench_, &app::Workbench::openAny);
    dialog->open();
}

void MainWindow::chooseTraceToSave() {
    auto* dialog = new QFileDialog(this, tr("Save trace"));
    dialog->setObjectName(QStringLiteral("saveTraceDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->setNameFilters({tr("Chrome trace (*.json)")});
    const auto document = workbench_.document();
    dialog->selectFile((document ? document->title : tr("trace")) + QStringLiteral(".trace.json"));
    connect(dialog, &QFileDialog::fileSelected, &workbench_, &app::Workbench::saveTrace);
    dialog->open();
}

void MainWindow::showCommandPalette() {
    palette_->setActions(commands());
    palette_->open();
}

void MainWindow::resetLayout() {
    shownState_.clear();
    dockSizes_.forget();
    restoreState(initialState_, state_version);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const bool isData = workbench_.opened() && !inputFiles(event->mimeData()).isEmpty();
    if (isData || !openableFiles(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = openableFiles(event->mimeData()),
                      data = inputFiles(event->mimeData());
    if (!files.isEmpty()) {
        event->acceptProposedAction();
        workbench_.openAny(files.first());
    } else if (workbench_.opened() && workbench_.faultText().isEmpty() &&
               !data.isEmpty()) {  // the inputs of the model
        event->acceptProposedAction();
        showPage(QStringLiteral("run"));
        if (auto* run = qobject_cast<RunPage*>(page(QStringLiteral("run")))) run->giveInputs(data);
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const app::Questions questions = app::loadQuestions();
    const QStringList running = runningWork();
    if (!isLeaving_ && !mayStopWork_ && questions.running && !running.isEmpty()) {
        event->ignore();
        askToQuit(running);
        return;
    }
    if (!isLeaving_ && questions.unsaved && workbench_.project().isWorthAsking()) {
        event->ignore();
        askThen([this] {
            isLeaving_ = true;
            close();
        });
        return;
    }
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"),
                      shownState_.isEmpty() ? saveState(state_version) : shownState_);
    if (shownState_.isEmpty()) dockSizes_.leave(current_);
    dockSizes_.save();
    event->accept();
}

}  // namespace lapidary::views

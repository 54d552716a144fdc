// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, toolbar and commands of the main window.
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QLocale>
#include <QMenuBar>
#include <QRegularExpression>
#include <QToolBar>

#include "compare/compare_page.h"
#include "graph/graph_page.h"
#include "language.h"
#include "page.h"
#include "panels/values/value_viewer.h"
#include "theme/theme.h"
#include "widgets/cards/message_banner.h"
#include "widgets/text/mnemonics.h"
#include "window/dialogs/convert_dialog.h"
#include "window/dialogs/edit_dialog.h"
#include "window/help/help_menu.h"
#include "window/main_window.h"
#include "window/file_exports.h"
#include "window/mode_rail.h"
#include "window/reload_offer.h"
#include "window/dialogs/plugins_dialog.h"
#include "window/dialogs/targets_dialog.h"
#include "window/dialogs/settings_dialog.h"
#include "window/help/shortcut_sheet.h"
#include "window/sizes_chip.h"
#include "window/help/tour.h"
#include "window/variant_chip.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/plugin_list.h"
#include "workbench/project/project.h"
#include "workbench/project/settings.h"

namespace lapidary::views {

QAction* MainWindow::addCommand(QMenu* menu, const QString& text, const char* icon,
                                const QKeySequence& shortcut, const QString& tip) {
    auto* action = new QAction(text, this);
    if (icon) action->setIcon(themedIcon(QLatin1String(icon)));
    action->setShortcut(shortcut);
    QString tooltip = tip;
    if (!shortcut.isEmpty())
        tooltip += QStringLiteral(" (%1)").arg(shortcut.toString(QKeySequence::NativeText));
    action->setToolTip(tooltip);
    action->setStatusTip(tip);
    action->setWhatsThis(tip);
    menu->addAction(action);
    return action;
}

void MainWindow::makeEditMenu(QMenu* edit) {
    QAction* undo = undo_->createUndoAction(this, tr("&Undo"));
    undo->setIcon(themedIcon(QStringLiteral("undo")));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = undo_->createRedoAction(this, tr("&Redo"));
    redo->setIcon(themedIcon(QStringLiteral("redo")));
    redo->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addActions({undo, redo});
    edit->addSeparator();
    QAction* palette =
        addCommand(edit, tr("&Find …"), "search", QKeySequence::Find,
                   tr("Find nodes, tensors, passes, pages, settings and commands by typing"));
    palette->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::CTRL | Qt::Key_K),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)});

    edit->addSeparator();
    QAction* settings =
        addCommand(edit, tr("&Settings …"), "settings", QKeySequence(Qt::CTRL | Qt::Key_Comma),
                   tr("Theme, language, usual runs and sizes, memory limit, questions"));
    settings->setMenuRole(QAction::PreferencesRole);
    connect(palette, &QAction::triggered, this, &MainWindow::showCommandPalette);
    connect(settings, &QAction::triggered, this, &MainWindow::showSettings);
}

void MainWindow::makeFileMenu(QMenu* file) {
    new_ = addCommand(file, tr("&New project"), "file", QKeySequence::New,
                      tr("Close the model and begin anew"));
    QAction* another =
        addCommand(file, tr("New &window"), "file", {}, tr("Another window, for another model"));
    open_ = addCommand(file, tr("&Open …"), "open", QKeySequence::Open,
                       tr("Open an ONNX model, a project or a Chrome trace"));
    file->addMenu(makeRecentMenu());
    QAction* again =
        addCommand(file, tr("Read aga&in"), "open", QKeySequence(Qt::SHIFT | Qt::Key_F5),
                   tr("Read the file of the open model again, as it is now on disk"));
    new ReloadOffer(*this, workbench_, *again);
    file->addSeparator();
    save_ = addCommand(file, tr("&Save project"), "save", QKeySequence::Save,
                       tr("Save the model's place, variants, results and notes"));
    saveAs_ = addCommand(file, tr("Save project &as …"), "save",
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                         tr("Save the project in another file"));
    saveTrace_ =
        addCommand(file, tr("Save &trace …"), "save", QKeySequence(Qt::CTRL | Qt::Key_T),
                   tr("Save the newest run as a Chrome trace, for chrome://tracing and Perfetto"));
    QAction* exportModel =
        addCommand(file, tr("&Export model …"), "export", {},
                   tr("Write the model as the variant in force has it, for those who are to run "
                      "it"));
    QAction* report = addCommand(
        file, tr("Save model re&port …"), "save", {},
        tr("One HTML file with graph, times, passes and advice, which needs no other program"));
    QAction* snippet =
        addCommand(file, tr("&Code snippet …"), "copy", {},
                   tr("A program that runs the model in ONNX Runtime with the settings in force: "
                      "Python, C, C++, C#, Rust"));
    new FileExports(*this, workbench_, *exportModel, *report, *snippet);
    file->addSeparator();
    QAction* quit = addCommand(file, tr("&Quit"), "quit", QKeySequence(Qt::CTRL | Qt::Key_Q),
                               tr("Close the window"));
    quit->setMenuRole(QAction::QuitRole);
    connect(open_, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(new_, &QAction::triggered, this, [this] { workbench_.project().startNew(); });
    connect(another, &QAction::triggered, this, &MainWindow::anotherWindowRequested);
    connect(save_, &QAction::triggered, this, &MainWindow::saveProject);
    connect(saveAs_, &QAction::triggered, this, &MainWindow::saveProjectAs);
    connect(saveTrace_, &QAction::triggered, this, &MainWindow::chooseTraceToSave);
    connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::makeActions() {
    const auto addMenu = [this](const QString& title) {
        QMenu* menu = menuBar()->addMenu(title);
        menu->setToolTipsVisible(true);
        keepMnemonics(*menu);
        menus_.append(menu);
        return menu;
    };
    makeFileMenu(addMenu(tr("&File")));
    makeEditMenu(addMenu(tr("&Edit")));

    QMenu* view = addMenu(tr("&View"));
    for (QAction* page : pageSwitches_) view->addAction(page);
    view->addSeparator();
    QMenu* commands =
        view->addMenu(themedIcon(QStringLiteral("palette")), tr("&Commands of the pages"));
    keepMnemonics(*commands);
    for (qsizetype i = 0; i < pageIds_.size(); ++i)
        addTheirActions(pages_.value(pageIds_[i]), commands, pageSwitches_[i]->text());
    for (QDockWidget* dock : {variantsDock_, inspectorDock_, bottomDock_}) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setProperty("commandGroup", tr("Panel"));
        view->addAction(toggle);
    }
    QAction* reset = addCommand(view, tr("&Reset layout"), "layout", {},
                                tr("Put all panels back where they were"));
    view->addSeparator();
    addThemeMenu(view);
    addLanguageMenu(view);

    makeModelMenu(addMenu(tr("&Model")));

    QMenu* run = addMenu(tr("&Run"));
    run_ = addCommand(run, tr("&Run"), "run", QKeySequence(Qt::Key_F5),
                      tr("Run the model with generated inputs and profile it"));
    runTip_ = run_->statusTip();
    cancel_ = addCommand(run, tr("&Cancel"), "cancel", QKeySequence(Qt::Key_Escape),
                         tr("Stop what is running"));

    run->addSeparator();
    addMemoryMenu(run);
    addPlacesOfRuns(run);

    addHelpMenu(addMenu(tr("&Help")));

    connect(reset, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(run_, &QAction::triggered, &workbench_, &app::Workbench::startRun);
    connect(cancel_, &QAction::triggered, this, [this] {
        for (app::Job* job : workbench_.jobs().jobs()) job->cancel();
    });
    makeToolBars();
}

/// What models can run on and with.
void MainWindow::addPlacesOfRuns(QMenu* run) {
    QAction* plugins =
        addCommand(run, tr("&Plugins and engines …"), "model", {},
                   tr("What was found, what it brings, and why something cannot be used"));
    connect(plugins, &QAction::triggered, this, &MainWindow::showPlugins);
    QAction* targets = addCommand(run, tr("&Targets …"), "sideways", {},
                                  tr("Other computers on which models are run and measured"));
    connect(targets, &QAction::triggered, this, &MainWindow::showTargets);
}

void MainWindow::makeModelMenu(QMenu* model) {
    convert_ = addCommand(
        model, tr("&Convert …"), "constant", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
        tr("A newer opset, fixed dimensions, fewer outputs, weights beside the model: see what "
           "changes, then save"));
    edit_ = addCommand(
        model, tr("&Edit …"), "inspector", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_E),
        tr("Delete, insert, replace, rename, rewire: lines of text that make a variant"));
    second_ = addCommand(model, tr("Compare with a &second model …"), "split",
                         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
                         tr("Another ONNX file becomes B beside the open model"));
    inside_ = addCommand(model, tr("Look &inside …"), "zoom-in",
                         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_I),
                         tr("The selected value as it is in a run: figures, elements, pictures"));
    connect(inside_, &QAction::triggered, this, &MainWindow::lookInside);
    connect(edit_, &QAction::triggered, this, &MainWindow::showEdit);
    connect(convert_, &QAction::triggered, this,
            [this] { showConvert(InspectorRequest::Kind::find); });
    connect(second_, &QAction::triggered, this, [this] {
        showPage(QStringLiteral("compare"));
        if (auto* compare = qobject_cast<ComparePage*>(page(QStringLiteral("compare"))))
            compare->chooseSecond();
    });
}

void MainWindow::showConvert(InspectorRequest::Kind chosen) {
    if (!workbench_.opened() || !workbench_.faultText().isEmpty()) return;
    auto* dialog = new ConvertDialog(workbench_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    if (chosen == InspectorRequest::Kind::newerOpset) dialog->chooseOpset();
    if (chosen == InspectorRequest::Kind::fixDimensions) dialog->askForDimensions();
    if (chosen == InspectorRequest::Kind::pruneOutputs) dialog->askForOutputs();
}

void MainWindow::showEdit() {
    if (!workbench_.opened() || !workbench_.opened()->faults.empty()) return;
    auto* dialog = new EditDialog(workbench_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::lookInside() {
    if (!ValueViewer::canLookAt(workbench_)) return;
    if (!valueViewer_) valueViewer_ = new ValueViewer(workbench_, this);
    valueViewer_->lookAt(workbench_.focus());
    valueViewer_->show();
    valueViewer_->raise();
    valueViewer_->activateWindow();
}

void MainWindow::showPlugins() {
    auto* dialog = new PluginsDialog(workbench_.plugins(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showTargets() {
    auto* dialog = new TargetsDialog(workbench_.machines(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// Offers to switch the plugin off after a crash in it; empty: it was in no plugin.
void MainWindow::offerToSwitchOff(const QString& plugin) {
    if (plugin.isEmpty()) return;
    banner_->addAction(QStringLiteral("cancel"),
                       tr("Switch off the plugin %1").arg(labelText(plugin)), [this, plugin] {
                           app::PluginList& plugins = workbench_.plugins();
                           const QString file = plugins.fileOf(plugin);
                           if (file.isEmpty()) showPlugins();
                           else plugins.setOff(file, true);
                       });
}

void MainWindow::showSettings() {
    auto* dialog = new SettingsDialog(workbench_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::languageChanged, this, &MainWindow::reportLanguage);
    dialog->open();
}

void MainWindow::reportLanguage() {
    banner_->showMessage(MessageBanner::Kind::info,
                         tr("The language changes with the next start of Lapidary"), {});
}

void MainWindow::showShortcuts() {
    auto* sheet = new ShortcutSheet(commands(), this, &keys_);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void MainWindow::addHelpMenu(QMenu* help) {
    new HelpMenu(
        *this, workbench_.jobs(),
        [this, help](const QString& text, const char* icon, const QKeySequence& shortcut,
                     const QString& tip) { return addCommand(help, text, icon, shortcut, tip); });
    QAction* keys =
        addCommand(help, tr("&Keyboard shortcuts"), "palette",
                   QKeySequence(Qt::CTRL | Qt::Key_Slash), tr("All commands with their keys"));
    connect(keys, &QAction::triggered, this, &MainWindow::showShortcuts);
    QAction* tour = addCommand(help, tr("&Take the tour"), "start", {},
                               tr("A minute on a sample, step by step"));
    connect(tour, &QAction::triggered, tour_, &Tour::start);
    QAction* diagnostics =
        addCommand(help, tr("&Diagnostics …"), "log", {},
                   tr("What to pass on with a report of a fault: versions, machine, settings and "
                      "the log, without names of models"));
    connect(diagnostics, &QAction::triggered, this, &MainWindow::showDiagnostics);
    help->addSeparator();
    QAction* about =
        addCommand(help, tr("&About Lapidary"), "info", {}, tr("Version and licences"));
    about->setMenuRole(QAction::AboutRole);
    QAction* aboutQt =
        addCommand(help, tr("About &Qt"), "info", {}, tr("The toolkit this window is made with"));
    aboutQt->setMenuRole(QAction::AboutQtRole);
    connect(about, &QAction::triggered, this, &MainWindow::showAbout);
    connect(aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
}

void MainWindow::makeToolBars() {
    auto* rail = new QToolBar(tr("Pages"));
    rail->setObjectName(QStringLiteral("railToolbar"));
    rail->setMovable(false);
    rail->addWidget(rail_);
    rail->toggleViewAction()->setVisible(false);  // always there
    rail->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(Qt::LeftToolBarArea, rail);

    QToolBar* bar = addToolBar(tr("Main toolbar"));
    bar->setObjectName(QStringLiteral("mainToolbar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(20, 20));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (QAction* action : {open_, run_, cancel_, saveTrace_}) {
        static const QRegularExpression dots(QStringLiteral("\\s*…+$"));
        action->setIconText(withoutMnemonic(action->text()).remove(dots));
        bar->addAction(action);
    }
    bar->widgetForAction(run_)->setObjectName(QStringLiteral("toolbarRun"));
    bar->addSeparator();
    bar->addWidget(new VariantChip(workbench_));
    bar->addWidget(new SizesChip(workbench_));
}

/// The menu of that title in another one, which is made if it is not there.
QMenu* MainWindow::subMenu(QMenu* menu, const QString& title) {
    for (const QAction* action : menu->actions())
        if (action->menu() && action->menu()->title() == title) return action->menu();
    QMenu* made = menu->addMenu(title);
    made->setToolTipsVisible(true);
    keepMnemonics(*made);
    menus_.append(made);
    return made;
}

void MainWindow::addTheirActions(Page* page, QMenu* menu, const QString& title) {
    const QList<QAction*> actions = page->pageActions();
    if (actions.isEmpty()) return;
    QMenu* own = menu->addMenu(title);
    own->setToolTipsVisible(true);
    keepMnemonics(*own);
    menus_.append(own);
    for (QAction* action : actions) {
        QMenu* into = own;
        for (const QString& part : action->property("menuPath").toStringList())
            into = subMenu(into, part);
        into->addAction(action);
        page->addAction(action);  // its shortcut works while the page is visible
    }
}

QMenu* MainWindow::makeRecentMenu() {
    auto* menu = new QMenu(tr("Open &recent"), this);
    menu->setIcon(themedIcon(QStringLiteral("clock")));
    menu->setObjectName(QStringLiteral("recentMenu"));
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const QString& path : workbench_.recentFiles()) {
            QString shown = labelText(path, 120);
            QAction* action =
                menu->addAction(shown.replace(QLatin1Char('&'), QStringLiteral("&&")));
            action->setEnabled(QFileInfo::exists(path));
            connect(action, &QAction::triggered, this, [this, path] { workbench_.openAny(path); });
        }
        if (menu->isEmpty()) menu->addAction(tr("No recent files"))->setEnabled(false);
        menu->addSeparator();
        QAction* clear =
            menu->addAction(themedIcon(QStringLiteral("clear")), tr("Clear this list"));
        clear->setEnabled(!workbench_.recentFiles().isEmpty());
        connect(clear, &QAction::triggered, &workbench_, &app::Workbench::clearRecentFiles);
    });
    return menu;
}

void MainWindow::addThemeMenu(QMenu* view) {
    QMenu* menu = view->addMenu(themedIcon(QStringLiteral("theme")), tr("&Theme"));
    keepMnemonics(*menu);
    menus_.append(menu);
    auto* group = new QActionGroup(menu);
    const auto add = [&](const QString& text, ThemeChoice choice) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(currentTheme() == choice);
        action->setProperty("commandGroup", tr("Theme"));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [choice] {
            applyTheme(choice);
            app::saveThemeName(nameOf(choice));
        });
    };
    add(tr("Like the &desktop"), ThemeChoice::system);
    add(tr("&Light"), ThemeChoice::light);
    add(tr("&Dark"), ThemeChoice::dark);
}

void MainWindow::addLanguageMenu(QMenu* view) {
    QMenu* menu = view->addMenu(themedIcon(QStringLiteral("language")), tr("&Language"));
    menu->setObjectName(QStringLiteral("languageMenu"));
    keepMnemonics(*menu);
    menus_.append(menu);
    auto* group = new QActionGroup(menu);
    const auto add = [&](const QString& text, const QString& code) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(app::loadLanguage() == code);
        action->setProperty("commandGroup", tr("Language"));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, code] {
            app::saveLanguage(code);
            reportLanguage();
        });
    };
    add(tr("Like the &desktop"), {});
    for (const Language& language : languages()) add(language.name, language.code);
}

/// The menu offers powers of two, and the current limit if it is another one.
void MainWindow::addMemoryMenu(QMenu* run) {
    app::WorkerLink& worker = workbench_.worker();
    QMenu* menu = run->addMenu(themedIcon(QStringLiteral("memory")), tr("&Memory limit"));
    menu->setObjectName(QStringLiteral("memoryLimitMenu"));
    keepMnemonics(*menu);
    menu->setToolTipsVisible(true);
    menus_.append(menu);
    auto* group = new QActionGroup(menu);
    const auto add = [&worker, menu, group](quint64 bytes) {  // called later too
        QAction* action = menu->addAction(
            bytes == 0 ? tr("&No limit")
                       : QLocale().formattedDataSize(qint64(bytes), 0, QLocale::DataSizeIecFormat));
        action->setCheckable(true);
        action->setData(bytes);
        action->setEnabled(worker.isSeparate());
        action->setProperty("commandGroup", tr("Memory limit"));
        action->setToolTip(worker.isSeparate()
                               ? tr("Memory that runs may take; one that needs more fails with an "
                                    "error and takes nothing else along")
                               : tr("Models run in this program: %1").arg(worker.whyShared()));
        action->setStatusTip(action->toolTip());
        group->addAction(action);
        connect(action, &QAction::triggered, &worker,
                [&worker, bytes] { worker.setMemoryLimit(bytes); });
        return action;
    };
    const auto mark = [&worker, group, add] {
        QAction* chosen = nullptr;
        for (QAction* action : group->actions())
            if (action->data().toULongLong() == worker.memoryLimit()) chosen = action;
        if (!chosen) chosen = add(worker.memoryLimit());
        chosen->setChecked(true);
    };
    add(0);
    for (const quint64 gibibytes : {1, 2, 4, 8, 16, 32, 64}) add(gibibytes << 30);
    connect(&worker, &app::WorkerLink::memoryLimitChanged, menu, mark);
    mark();
}

QList<QAction*> MainWindow::commands() const {
    QList<QAction*> commands;
    for (const QMenu* menu : menus_)
        for (QAction* action : menu->actions())
            if (!action->isSeparator() && !action->menu() && !commands.contains(action))
                commands.append(action);
    return commands;
}

/// Shows the selection on the Graph page.
void MainWindow::arriveOnGraph() {
    showPage(QStringLiteral("graph"));
    qobject_cast<GraphPage*>(page(QStringLiteral("graph")))->arrive();
}

}  // namespace lapidary::views

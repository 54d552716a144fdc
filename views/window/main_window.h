// SPDX-License-Identifier: GPL-3.0-or-later
// The window: mode rail, pages, docks, menus, command palette, status bar.
#pragma once

#include <QHash>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QProgressBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoGroup>

#include <functional>

#include "panels/inspector_request.h"
#include "window/dock_sizes.h"
#include "window/help/key_map.h"
#include "workbench/workbench.h"

namespace lapidary::app {
class Journal;
}

namespace lapidary::views {

class MessageBanner;
class ModeRail;
class Page;
class CommandPalette;
class FaultCover;
class InspectorPanel;
class QuietDocks;
class Tour;
class ValueViewer;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(app::Workbench& workbench, QWidget* parent = nullptr);
    ~MainWindow() override;

    QStringList pageIds() const { return pageIds_; }
    QString currentPage() const { return current_; }
    Page* page(const QString& id) const { return pages_.value(id); }
    MessageBanner* banner() const { return banner_; }
    // questions about the project; they outlast opening a model
    MessageBanner* projectBanner() const { return projectBanner_; }
    CommandPalette* commandPalette() const { return palette_; }
    Tour* tour() const { return tour_; }
    /// All commands of the menus, including those of pages.
    QList<QAction*> commands() const;

public slots:
    /// False when there is no such page.
    bool showPage(const QString& id);
    void chooseFile();
    void chooseTraceToSave();
    void showCommandPalette();
    void resetLayout();
    /// Saves to the project's file; asks for a file name if it has none.
    void saveProject();
    void saveProjectAs();
    /// Shows an unexpected exception.
    void showFailure(const QString& reason);
    /// Offers to restore projects from windows that crashed, and reports if the journal cannot be
    /// written.
    void watchJournal(lapidary::app::Journal* journal);

signals:
    /// Asks the program for one more window, in a process of its own.
    void anotherWindowRequested();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void offerToSwitchOff(const QString& plugin);
    void makePages();
    void makeDocks();
    void makeActions();
    void makeFileMenu(QMenu* file);
    void makeEditMenu(QMenu* edit);
    void makeModelMenu(QMenu* model);
    void makeToolBars();
    void addHelpMenu(QMenu* help);
    void makeStatusBar();
    void connectWorkbench();
    void connectOpening();
    void connectWorker();
    void connectProject();
    void connectLostModels();
    void connectPalette();
    void arriveOnGraph();
    void offerRestore(app::Journal* journal);
    void askThen(std::function<void()> next);
    void chooseModelOfProject(const QString& missing);
    QMenu* makeRecentMenu();
    void addThemeMenu(QMenu* view);
    void addLanguageMenu(QMenu* view);
    void addMemoryMenu(QMenu* run);
    void addPlacesOfRuns(QMenu* run);
    void addTheirActions(Page* page, QMenu* menu, const QString& title);
    QMenu* subMenu(QMenu* menu, const QString& title);
    QAction* addCommand(QMenu* menu, const QString& text, const char* icon,
                        const QKeySequence& shortcut, const QString& tip);
    void refreshTitle();
    void refreshRun();
    void refreshActions();
    void refreshTasks();
    void hideDocks(bool hide);
    void armKeys(const Page* shown);
    void loadKeys();
    void showAbout();
    void showDiagnostics();
    void showPlugins();
    void showTargets();
    void connectTargets();
    void showEdit();
    void lookInside();
    void showSettings();
    void showShortcuts();
    void answer(const InspectorRequest& request);
    /// Opens the Convert dialog with that conversion chosen; `find`: with none.
    void showConvert(InspectorRequest::Kind chosen);
    void reportLanguage();
    /// Titles of running jobs that the user started, and of saving; empty: none runs.
    QStringList runningWork() const;
    void askToQuit(const QStringList& running);

    app::Workbench& workbench_;
    ModeRail* rail_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    FaultCover* cover_ = nullptr;  // shown instead of a page that cannot work on the open model
    QString current_;              // page
    QString silenceTitle_;         // title of the banner about a silent worker
    QString crashedPlugin_;  // name of the plugin in which the worker crashed, until it is reported
    MessageBanner *banner_ = nullptr, *projectBanner_ = nullptr;
    CommandPalette* palette_ = nullptr;
    Tour* tour_ = nullptr;
    QStringList pageIds_;
    QHash<QString, Page*> pages_;
    QList<QAction*> pageSwitches_;
    QList<QMenu*> menus_;
    QAction *open_ = nullptr, *run_ = nullptr, *cancel_ = nullptr, *saveTrace_ = nullptr;
    QAction *convert_ = nullptr, *edit_ = nullptr, *second_ = nullptr, *inside_ = nullptr;
    QAction *new_ = nullptr, *save_ = nullptr, *saveAs_ = nullptr;
    QDockWidget *variantsDock_ = nullptr, *inspectorDock_ = nullptr, *bottomDock_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    ValueViewer* valueViewer_ = nullptr;  // null until it is asked for
    QuietDocks* quietDocks_ = nullptr;
    QLabel* taskText_ = nullptr;
    QProgressBar* taskBar_ = nullptr;
    QToolButton* taskCancel_ = nullptr;
    QString runTip_;  // of run_ while a run is possible, without its key
    QUndoGroup* undo_ = nullptr;
    KeyMap keys_;
    std::function<void()> afterSave_;  // called when the project is saved
    bool isLeaving_ = false;           // the user has decided about unsaved changes
    bool mayStopWork_ = false;         // the user has agreed to stop running jobs
    QByteArray initialState_;
    DockSizes dockSizes_{*this};
    QByteArray shownState_;  // the layout to restore when hidden docks are shown again
};

}  // namespace lapidary::views

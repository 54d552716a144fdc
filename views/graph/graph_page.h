// SPDX-License-Identifier: GPL-3.0-or-later
// The Graph page: the drawn model and its table twin, search, colours, groups, export.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "canvas/graph_canvas.h"
#include "graph/graph_table.h"
#include "graph/node_costs.h"
#include "graph/place_history.h"
#include "models/find_query.h"
#include "page.h"
#include "panels/inspector_group.h"
#include "workbench/workbench.h"

class QToolBar;

namespace lapidary::views {

class EmptyState;
class LayoutNotice;
class SurgeryActions;
struct KeptView;
struct SurgerySelection;

class GraphPage : public Page {
    Q_OBJECT
public:
    explicit GraphPage(app::Workbench& workbench, QWidget* parent = nullptr);
    ~GraphPage() override;

    QList<QAction*> pageActions() const override { return actions_; }
    bool needsSoundModel() const override { return false; }
    bool showsFocus() const override { return true; }
    void shown() override;
    GraphCanvas* canvas() const { return canvas_; }
    GraphTable* table() const { return table_; }
    QLineEdit* searchField() const { return search_; }
    bool isLayingOut() const { return job_.isRunning(); }
    /// Marks what the query finds (FindQuery).
    void search(const QString& query);
    /// Marks the nodes like matches of a search, without those that the shown graph does not have.
    void mark(const std::vector<NodeId>& nodes);
    /// Opens the groups around a group of the shown graph, selects it and puts it in the middle.
    void showGroup(OutlineIndex group);
    /// Opens the groups that contain the focus, centres it and marks it. If the graph is not drawn
    /// or the page not shown yet, it does so then.
    void arrive();
    /// Draws the graph into a file in a job; the format follows from the file name's ending.
    void exportTo(const QString& path);
    /// Saves nodes of the main graph as a separate model in a job; exported() reports the end.
    void extractTo(const std::vector<NodeId>& nodes, const QString& path);
    /// Edits by hand.
    SurgeryActions& surgery() const { return *surgery_; }
    /// Why the newest edit by hand could not be done; empty: it could, or something else was
    /// selected since.
    QString refusal() const { return refusal_; }

signals:
    /// A new drawing is on the canvas.
    void sceneShown();
    void exported(const QString& path, const QString& failure);
    /// A group or a leaf was selected, or what is known of its times changed. Without an outline:
    /// neither is.
    void groupSelected(const lapidary::views::GroupContent& content);
    /// Asks the main window to look inside what is selected.
    void insideRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Prepared {
        GraphOutlinePtr outline;
        std::shared_ptr<const std::vector<GraphRow>> rows;
        std::vector<GraphScenePtr> scenes;  // see buildFirstScenes()
    };
    void makeActions();
    void makeTraceActions();
    void makePlaceActions();
    void switchBookmarks();
    void markBookmarks();
    void leavePlace();
    void goTo(const std::optional<GraphPlace>& place);
    void makeSurgery();
    bool isEdited();
    KeptView keptView();
    NodeId newNode() const;
    SurgerySelection surgerySelection() const;
    void askForLine(const QString& form, const QStringList& nodes, const QString& value,
                    const QStringList& keywords);
    std::ptrdiff_t inputReading(OutlineIndex tensor, const OutlineLeaf& reader) const;
    void rewire(OutlineIndex tensor, OutlineIndex reader, OutlineIndex leaf, OutlineIndex other);
    void showRefusal(const QString& reason);
    void hideRefusal();
    void selectMarked();
    void connectActions();
    void makeToolWidgets();
    QToolBar* makeToolBar();
    QAction* addAction(const QString& text, const QString& icon, const QKeySequence& shortcut,
                       const QString& tip);
    void showDocument();
    void showRun();
    void startCosts(const app::RunRecordPtr& run);
    LeafValuesPtr byLeaf(const std::unordered_map<NodeId, double>& of, const QString& title,
                         const QString& unit, double factor) const;
    void showFaults();
    /// Shares of noise by leaf, and weights so that a group shows their mean; null: no node was
    /// quantized.
    std::pair<LeafValuesPtr, LeafValuesPtr> quantizingLossByLeaf() const;
    /// Differences of A and B of the Compare page by leaf, and weights so that a group shows their
    /// mean; null: nothing was searched for.
    std::pair<LeafValuesPtr, LeafValuesPtr> differenceByLeaf() const;
    LeafKindsPtr providerKinds() const;
    void showCosts();
    void showFocus();
    void showEmpty(const QString& title, const QString& text, bool retry = false);
    void showView();
    /// `then` is called when the drawing is on the canvas.
    void layOut(OpenGroups open, OutlineIndex anchorGroup = noIndex,
                std::function<void()> then = nullptr);
    void toggleGroup(OutlineIndex group);
    void setAllGroups(bool open);
    void reveal(OutlineIndex leaf);
    void arriveIfAsked();
    void publishSelection(const GraphSelection& selection);
    void publishGroup();
    void refreshSearch();
    FindSubject subjectOf(const OutlineLeaf& leaf) const;
    void stepSearch(int by);
    void markLeaves(const std::vector<OutlineIndex>& leaves, OutlineIndex current);
    void refreshActions();
    void chooseExport();
    void choosePrinter();
    void chooseExtract();
    void addToMenu(QMenu* menu);
    void showTableMenu(const QPoint& at);
    void chooseArrayFile(const ModelPtr& model, const std::string& name, const Tensor& tensor);
    /// `save` returns notes for the user, one sentence each.
    void saveInJob(const QString& path, std::function<QStringList(const Progress&)> save);
    SceneOptions sceneOptions() const;
    QSize room() const;

    app::Workbench& workbench_;
    GraphOutlinePtr outline_;
    app::LatestJob job_;       // the newest layout
    app::LatestJob costsJob_;  // attributes the newest run's times to the shown nodes
    NodeCostsPtr costs_;
    LeafValuesPtr times_;           // of costs_, by leaf; null: not measured
    app::RunRecordPtr variantRun_;  // newest run of any variant of the opened model
    QString variantRunOf_;          // the name of that variant
    TextWidths titleWidths_, bodyWidths_;
    QList<QAction*> actions_;
    QAction *fit_ = nullptr, *zoomIn_ = nullptr, *zoomOut_ = nullptr, *actualSize_ = nullptr,
            *openAll_ = nullptr, *closeAll_ = nullptr;
    QAction *back_ = nullptr, *forward_ = nullptr;
    QAction *sideways_ = nullptr, *columns_ = nullptr, *constants_ = nullptr, *asTable_ = nullptr,
            *find_ = nullptr, *export_ = nullptr, *print_ = nullptr, *extract_ = nullptr;
    // rows of colorBy_
    enum Colours { by_nothing, by_type, by_time, by_peak, by_loss, by_provider, by_difference };
    QComboBox* colorBy_ = nullptr;
    int wantedColours_ = by_type;  // shown as soon as their figures are known
    QLineEdit* search_ = nullptr;
    QLabel *searchCount_ = nullptr, *zoom_ = nullptr;
    QTimer searchDelay_;
    PlaceHistory history_;
    // nodes of the main graph, in the order they were set, with what they were called: a variant
    // may have another node with the same id
    std::vector<std::pair<NodeId, std::string>> bookmarks_;
    bool isUnseen_ = false;  // the drawing was moved since it was last on the screen
    std::vector<OutlineIndex> matches_;
    int currentMatch_ = -1;
    std::optional<app::Focus> arriveAt_;  // empty: no navigation requested
    QStackedWidget* stack_ = nullptr;
    EmptyState* empty_ = nullptr;
    bool emptyRetries_ = false;
    GraphCanvas* canvas_ = nullptr;
    GraphTable* table_ = nullptr;
    LayoutNotice* notice_ = nullptr;
    SurgeryActions* surgery_ = nullptr;
    bool isRestoring_ =
        false;  // an edited graph is drawn where it was: it moves as little as it can
    // of the graph that was drawn last, whose model is `drawnOf_`
    app::Recipe drawnRecipe_;
    std::weak_ptr<const app::Document> drawnOf_;
    std::filesystem::path drawnFile_;  // the file of that model; empty: it has none
    QString refusal_;                  // on a pin, until something else is selected
};

}  // namespace lapidary::views

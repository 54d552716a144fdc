// SPDX-License-Identifier: GPL-3.0-or-later
// Optimize: levels side by side, passes with switches, every rewrite step by step, near misses.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>

#include "optimize/diff_view.h"
#include "optimize/recipe_editor.h"
#include "page.h"
#include "panels/inspector_request.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class ChangePanel;
class EmptyState;
class ExportDialog;
class GuardPanel;
class LayoutNotice;
class LevelCards;
struct LevelFacts;
class NearMissPanel;
class PassListPanel;
class StepBar;

class OptimizePage : public Page {
    Q_OBJECT
public:
    explicit OptimizePage(app::Workbench& workbench, QWidget* parent = nullptr);
    ~OptimizePage() override;
    QList<QAction*> pageActions() const override { return actions_; }
    void shown() override;

    const app::Recipe& recipe() const { return editor_.recipe(); }
    /// The shown variant; null until it is made.
    const app::VariantPtr& variant() const { return variant_; }
    DiffView* diffView() const { return diff_; }
    StepBar* stepBar() const { return steps_; }
    /// The step that is drawn; -1: none.
    int shownStep() const;
    /// The step that is the variant itself. Later steps are those of a session on its own copy.
    int ownSteps() const;
    bool isDrawing() const { return job_.isRunning(); }
    /// Selects the pass in the list of passes.
    void choosePass(const QString& pass);
    /// Adds the rules of a file to the chosen recipe; shows what is wrong with a file that cannot
    /// be used.
    void addRules(const QString& path);
    /// The command that makes the shown variant.
    QString command() const;
    /// Opens the Export dialog for the variant in force; where that is the original, for the one
    /// that this page draws.
    void exportModel();

signals:
    void variantShown();
    void stepShown();
    /// Asks the main window for the Convert dialog.
    void conversionRequested(const lapidary::views::InspectorRequest& request);

private:
    QWidget* makeContent();
    QWidget* makeTools();
    void makeActions();
    void followPasses();
    void reset();
    void start();
    void refreshCards();
    LevelFacts factsOf(const app::VariantPtr& variant) const;
    std::vector<app::VariantPtr> madeLevels() const;
    void chooseLevel(std::optional<Level> level);
    void planMemory();
    void tryLevels();
    void measureLevels();
    void refreshState();
    void refreshActions();
    void showRecipe();
    void showVariant(const app::VariantPtr& variant);
    void drawStep(int step, bool zoom);
    void showMiss(const NearMiss* miss);
    void useVariant();
    void copyCommand();
    void showDiff(StepFilmPtr film, DiffScenesPtr diff, bool zoom);
    app::Recipe shownRecipe() const;
    QString finishedText() const;

    app::Workbench& workbench_;
    RecipeEditor editor_;
    QList<QAction*> actions_;
    QAction *split_ = nullptr, *overlay_ = nullptr, *compactResult_ = nullptr, *fit_ = nullptr;
    QAction *zoomStep_ = nullptr, *use_ = nullptr, *copy_ = nullptr, *export_ = nullptr,
            *guard_ = nullptr, *measure_ = nullptr;
    QStackedWidget* stack_;
    EmptyState* empty_;
    QWidget* content_ = nullptr;
    LevelCards* cards_;
    QTabWidget* tabs_ = nullptr;
    PassListPanel* passes_;
    ChangePanel* changes_;
    NearMissPanel* misses_;
    GuardPanel* guards_;
    DiffView* diff_;
    StepBar* steps_;
    LayoutNotice* notice_ = nullptr;
    QLabel* verdict_ = nullptr;
    QComboBox* compare_ = nullptr;

    app::VariantPtr variant_;
    app::VariantPtr drawnFrom_;       // what the levels apply to: the opened or an edited model
    BaseDrawingPtr base_;             // of drawnFrom_; null: not drawn yet
    StepFilmPtr film_;                // of variant_; null: not made yet
    const NearMiss* miss_ = nullptr;  // of variant_'s report
    app::Recipe wanted_;              // recipe to put in force as soon as its variant is made
    bool isWanted_ = false;
    bool started_ = false;  // the variants of the opened model were requested
    app::LatestJob job_;    // the newest drawing
    TextWidths titleWidths_, bodyWidths_;
};

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// The Quantize page: goal, samples, the start button, the recipes as they are tried, and the
// reasons for each node.
#pragma once

#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>

#include "page.h"

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

class DecisionPanel;
class EmptyState;
class GoalBar;
class LayerPanel;
class MessageBanner;
class OutputPanel;
class ParetoPanel;
class ProgramPanel;
class QuantizeCard;
class RangePanel;
class RecipeTable;
class SampleStrip;

class QuantizePage : public Page {
    Q_OBJECT
public:
    explicit QuantizePage(app::Workbench& workbench, QWidget* parent = nullptr);
    QList<QAction*> pageActions() const override { return actions_; }
    /// Inspects the samples when it is shown for the first time.
    void shown() override;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeContent();
    QWidget* makeRecipes();
    void makeActions();
    void refresh();
    void compare();
    void exportModel();
    void chooseReport();
    void saveReport(const QString& path);
    void showVariant();
    void showNode(const QString& name);

    app::Workbench& workbench_;
    app::Quantizing& quantizing_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    MessageBanner* banner_;
    GoalBar* goal_;
    SampleStrip* samples_;
    QuantizeCard* card_;
    QTabWidget* tabs_;
    RecipeTable* recipes_;
    QPushButton* use_;
    DecisionPanel* decisions_;
    ParetoPanel* pareto_;
    LayerPanel* layers_;
    RangePanel* ranges_;
    OutputPanel* outputs_;
    ProgramPanel* program_;
    QAction *start_ = nullptr, *stop_ = nullptr, *folder_ = nullptr, *compare_ = nullptr,
            *export_ = nullptr, *report_ = nullptr, *copy_ = nullptr, *code_ = nullptr;
    QList<QAction*> actions_;
};

}  // namespace lapidary::views

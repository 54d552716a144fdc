// SPDX-License-Identifier: GPL-3.0-or-later
// The passes by level with a filter box and a menu of files of rules, and below them a description
// of the chosen one.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>

#include "optimize/pass_model.h"

namespace lapidary::views {

class PassListPanel : public QWidget {
    Q_OBJECT
public:
    explicit PassListPanel(QWidget* parent = nullptr);
    PassModel& model() { return model_; }
    QTreeView* view() const { return view_; }
    QLineEdit* filterEdit() const { return filter_; }
    void show(const app::Recipe& recipe, app::VariantPtr variant);
    void choose(const std::string& pass);
    /// Asks for a file of rules, as the menu does.
    void chooseRules();
    /// Shows why rules cannot be used, until another pass is chosen.
    void showProblem(const QString& reason);

signals:
    /// The user chose a file of rules.
    void rulesChosen(const QString& path);
    /// The user takes the rules of a file away.
    void rulesRemoved(const QString& file);
    void defaultsRequested();
    /// The user opened the pass to see its changes.
    void passActivated(const QString& pass);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshDetails();
    void fillRules(const std::vector<RuleText>& rules);
    PassModel model_;
    QSortFilterProxyModel proxy_;
    QLineEdit* filter_;
    QTreeView* view_;
    QLabel* details_;
    QPushButton* defaults_;
    QToolButton* rules_;
    QMenu* ruleMenu_;
    QStringList ruleFiles_;  // in the menu
};

}  // namespace lapidary::views

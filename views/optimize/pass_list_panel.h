// SPDX-License-Identifier: GPL-3.0-or-later
// The passes by level with a filter box, and below them a description of the chosen one.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
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

signals:
    void defaultsRequested();
    /// The user opened the pass to see its changes.
    void passActivated(const QString& pass);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshDetails();
    PassModel model_;
    QSortFilterProxyModel proxy_;
    QLineEdit* filter_;
    QTreeView* view_;
    QLabel* details_;
    QPushButton* defaults_;
};

}  // namespace lapidary::views

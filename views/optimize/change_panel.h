// SPDX-License-Identifier: GPL-3.0-or-later
// Every rewrite, grouped by the rule that made it, or one after the other with pictures.
#pragma once

#include <QAbstractItemModel>
#include <QCheckBox>
#include <QLabel>
#include <QTreeView>

#include <vector>

#include "workbench/document/variant.h"
#include "workbench/jobs/job_runner.h"

namespace lapidary::views {

/// Rules in the order in which they first applied, with their rewrites below them.
class ChangeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Rule, Step, Nodes, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;
    void setVariant(app::VariantPtr variant);
    /// The longest text in the column Step or Nodes, which is that of the last step or of a rule.
    QString widestText(Column column) const;
    /// 1-based number of the rewrite; of a rule: its first; 0: none.
    std::size_t stepAt(const QModelIndex& index) const;
    QModelIndex indexOf(std::size_t step) const;
    QModelIndex indexOfPass(const std::string& pass) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex&) const override { return ColumnCount; }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct RuleRewrites {
        std::string pass;
        std::vector<std::size_t> rewrites;  // indices into the report
        std::size_t removed = 0, added = 0;
    };
    app::VariantPtr variant_;
    std::vector<RuleRewrites> rules_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;  // by rewrite: rule, row
};

class RewriteReview;

class ChangePanel : public QWidget {
    Q_OBJECT
public:
    explicit ChangePanel(app::JobRunner& jobs, QWidget* parent = nullptr);
    ChangeModel& model() { return model_; }
    QTreeView* view() const { return view_; }
    RewriteReview& review() { return *review_; }
    void setVariant(app::VariantPtr variant);
    /// Shows the row without emitting stepChosen().
    void showStep(std::size_t step);
    void choosePass(const std::string& pass);

signals:
    void stepChosen(std::size_t step);

private:
    void makeTree();
    void showChosen();

    ChangeModel model_;
    QTreeView* view_;
    RewriteReview* review_;
    QCheckBox* pictures_;
    QLabel* nothing_;
    bool quiet_ = false;
};

}  // namespace lapidary::views

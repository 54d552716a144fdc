// SPDX-License-Identifier: GPL-3.0-or-later
// Any number of variants side by side, from two to eight.
#pragma once

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

#include <vector>

#include "compare/variants/variant_figures.h"
#include "widgets/table/table_view.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class MessageBanner;

/// The variants that were made, each a column of figures. All are measured in turn; outputs are
/// compared with those of the first.
class VariantPanel : public QWidget {
    Q_OBJECT
public:
    explicit VariantPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    app::VariantComparison& comparison() { return *comparison_; }
    /// The variants of the columns, in their order.
    std::vector<app::VariantPtr> chosen() const;
    const VariantTable& table() const { return rows_; }
    QString verdict() const { return verdict_->text(); }
    MessageBanner* banner() const { return banner_; }

public slots:
    void start();
    /// Adds the variant to the columns or takes it away.
    void setChosen(const lapidary::app::VariantPtr& variant, bool isChosen);
    /// Makes the levels of optimization that are missing.
    void makeLevels();
    /// Puts the first column into slot A and that one into slot B, for details.
    void showPair(const lapidary::app::VariantPtr& variant);

signals:
    /// A pair is in the slots.
    void pairShown();

protected:
    void showEvent(QShowEvent* event) override;

private:
    std::vector<app::VariantPtr> offered() const;
    std::vector<VariantColumn> columns() const;
    const app::VariantsRecord* recordOf(const std::vector<app::VariantPtr>& variants) const;
    void putTogether();
    void fillVariants();
    void fillPairs();
    void refresh();
    void showProgress();
    void showSentences(const std::vector<VariantColumn>& columns);

    app::Workbench& workbench_;
    app::VariantComparison* comparison_;
    std::vector<app::Recipe> leftOut_;  // recipes that the user took away
    QToolButton *variants_, *pairs_;
    QPushButton* start_;
    QLabel *verdict_, *conditions_;
    MessageBanner* banner_;
    VariantTable rows_;
    TableView* view_;
};

}  // namespace lapidary::views

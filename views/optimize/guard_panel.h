// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the outputs of original and variant on the same inputs, and finds the rewrite that
// causes a difference.
#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <lapidary/proof/guard.h>

#include "models/rows_model.h"
#include "optimize/bisect_bar.h"
#include "widgets/table/table_view.h"
#include "workbench/workbench.h"

namespace lapidary::app {
struct GuardFigures;
}

namespace lapidary::views {

class GuardPanel : public QWidget {
    Q_OBJECT
public:
    explicit GuardPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    ~GuardPanel() override;
    void setVariant(app::VariantPtr variant);
    bool isRunning() const { return job_.isRunning(); }
    const std::shared_ptr<const GuardReport>& report() const { return report_; }
    TableView* table() const { return table_; }
    QPushButton* button() const { return run_; }
    BisectBar* bisectBar() const { return bisect_; }
    QString verdict() const { return verdict_->text(); }

public slots:
    void run();

signals:
    void finished();
    /// The user wants to see the rewrite that changes an output.
    void stepChosen(std::size_t step);

private:
    void showReport(std::shared_ptr<const GuardReport> report, const QString& failure = {});
    void refresh();
    void followFigures();
    const app::GuardFigures* knownFigures() const;
    GuardOptions options() const;

    app::Workbench& workbench_;
    app::VariantPtr variant_;
    std::shared_ptr<const GuardReport> report_;
    app::LatestJob job_;
    RowsModel<GuardOutput> model_;
    QPushButton* run_;
    QDoubleSpinBox *rtol_, *atol_;
    QSpinBox* seeds_;
    QLabel* verdict_;
    TableView* table_;
    BisectBar* bisect_;
};

}  // namespace lapidary::views

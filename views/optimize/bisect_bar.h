// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the rewrite that changes an output, by optimizing with different numbers of rewrites in a
// job.
#pragma once

#include <QLabel>
#include <QPushButton>

#include <functional>

#include "workbench/workbench.h"
#include "worker/jobs/proof/bisect_job.h"

namespace lapidary::views {

using app::BisectFinding;

class BisectBar : public QWidget {
    Q_OBJECT
public:
    /// `options`: called at each start, for inputs, sizes and tolerance.
    BisectBar(app::Workbench& workbench, std::function<GuardOptions()> options,
              QWidget* parent = nullptr);
    ~BisectBar() override;
    void setVariant(const app::VariantPtr& variant);
    bool isRunning() const { return job_.isRunning(); }
    const std::optional<BisectFinding>& finding() const { return finding_; }
    QPushButton* button() const { return start_; }
    QPushButton* stepButton() const { return go_; }
    QString verdict() const { return verdict_->text(); }

public slots:
    void start();

signals:
    void finished();
    /// The user wants to see the rewrite that was found.
    void stepChosen(std::size_t step);

private:
    bool hasPasses() const;
    void showFinding(std::optional<BisectFinding> finding, const QString& failure = {});
    void refresh();

    app::Workbench& workbench_;
    std::function<GuardOptions()> options_;
    app::VariantPtr variant_;
    std::optional<BisectFinding> finding_;
    app::LatestJob job_;
    QPushButton *start_, *go_;
    QLabel* verdict_;
};

}  // namespace lapidary::views

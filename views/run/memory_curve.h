// SPDX-License-Identifier: GPL-3.0-or-later
// Activation memory over the steps of a run, from the memory plan.
#pragma once

#include <QVector>
#include <QWidget>

#include <lapidary/session.h>

class QLabel;

namespace lapidary::views {

class Plot;

/// Bytes of planned activations alive at each step of the plan.
QVector<double> aliveBytes(const PlanInfo& plan);

class MemoryCurve : public QWidget {
    Q_OBJECT
public:
    explicit MemoryCurve(QWidget* parent = nullptr);
    /// Null: no plan (a trace opened from a file).
    void setPlan(const PlanInfo* plan);
    QString sentence() const;  // what the picture says

private:
    QLabel* sentence_;
    Plot* plot_;
};

}  // namespace lapidary::views

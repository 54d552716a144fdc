// SPDX-License-Identifier: GPL-3.0-or-later
// Activation memory over the steps of a run, from the memory plan.
#pragma once

#include <QVector>
#include <QWidget>

#include <lapidary/exec/session.h>

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
    /// Shows the steps from `first` to `last`, those of a selected range of time; negative: all.
    void setRange(int first, int last);
    QString sentence() const;  // what the picture says

private:
    void report();
    QLabel* sentence_;
    Plot* plot_;
    QVector<double> bytes_;       // alive at each step
    QStringList names_;           // of the steps
    QString whole_;               // what is true of all steps
    int first_ = -1, last_ = -1;  // selected
};

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include <vector>

#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

class AccuracySlider;
class ScatterPlot;

/// A plot of the recipes' SQNR against their size or time. A line connects those that no other
/// recipe beats in all three (the Pareto front). The float model is a point above them. The table
/// of recipes shows the same figures.
class ParetoPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParetoPanel(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);
    /// Rings the trial; -1: none.
    void setCurrentTrial(std::ptrdiff_t trial);
    /// Whether the current trial can be made the result.
    void setUsable(bool usable);
    /// The trials of the Pareto front.
    const std::vector<std::size_t>& front() const { return front_; }

signals:
    void trialPicked(std::size_t trial);
    /// The current trial is to become the result.
    void useRequested();

private:
    void refresh();
    app::QuantizeRecord record_;
    QComboBox* axis_;
    QLabel* text_;
    AccuracySlider* slider_;
    ScatterPlot* plot_;
    std::vector<std::size_t> shown_, front_;  // trials by point; trials of the front
    std::ptrdiff_t current_ = -1;
};

}  // namespace lapidary::views

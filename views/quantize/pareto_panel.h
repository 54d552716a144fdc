// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include <vector>

#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

class ScatterPlot;

/// SQNR of the recipes against their size or time, with those that no other beats in all three
/// joined by a line. The table of recipes is its twin.
class ParetoPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParetoPanel(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);
    /// Rings the trial; -1: none.
    void setCurrentTrial(std::ptrdiff_t trial);
    /// Trials that no other beats.
    const std::vector<std::size_t>& front() const { return front_; }

signals:
    void trialPicked(std::size_t trial);

private:
    void refresh();
    app::QuantizeRecord record_;
    QComboBox* axis_;
    QLabel* text_;
    ScatterPlot* plot_;
    std::vector<std::size_t> shown_, front_;  // trials: by point, and of the front
    std::ptrdiff_t current_ = -1;
};

}  // namespace lapidary::views

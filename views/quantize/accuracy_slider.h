// SPDX-License-Identifier: GPL-3.0-or-later
// A slider from the smallest recipe to the most accurate one.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QWidget>

#include <cstddef>
#include <vector>

#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

/// Trials from the smallest to the most accurate, as indices: each has more bytes and a higher SQNR
/// than the one before, and none of at most its bytes has a higher SQNR. Those that failed are left
/// out.
std::vector<std::size_t> accuracyLadder(const std::vector<app::QuantizeTrial>& trials);

/// Each step of the slider is a trial of accuracyLadder(); its figures stand beneath it.
class AccuracySlider : public QWidget {
    Q_OBJECT
public:
    explicit AccuracySlider(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord& record);
    /// Moves to the trial, or to the step that beats it in size and SQNR, and shows the figures of
    /// the trial; -1: none is chosen, the result takes its place.
    void setCurrentTrial(std::ptrdiff_t trial);
    /// Whether the current trial can be made the result.
    void setUsable(bool usable) { use_->setEnabled(usable); }
    const std::vector<std::size_t>& steps() const { return steps_; }

signals:
    void trialPicked(std::size_t trial);
    /// The current trial is to become the result.
    void useRequested();

private:
    void showTrial();
    std::vector<app::QuantizeTrial> trials_;
    std::uint64_t originalBytes_ = 0;
    std::ptrdiff_t best_ = -1;
    std::vector<std::size_t> steps_;
    std::ptrdiff_t current_ = -1;
    QSlider* slider_;
    QLabel* figures_;
    QPushButton* use_;
};

}  // namespace lapidary::views

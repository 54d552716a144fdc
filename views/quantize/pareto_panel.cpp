// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/pareto_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include <lapidary/quantize/pareto.h>

#include "models/rows_model.h"
#include "quantize/quantize_texts.h"
#include "theme/theme.h"
#include "widgets/plot/plot_scatter.h"
#include "widgets/text/quantity.h"
#include "workbench/text/quantize_text.h"

namespace lapidary::views {
namespace {

enum Axis { size_axis, time_axis };
constexpr double kilobyte = 1e3, megabyte = 1e6;

/// Removes points from the line that another shown point beats, which has at least the same SQNR at
/// a smaller x.
void keepEnvelope(std::vector<ScatterPlot::Point>& points) {
    for (ScatterPlot::Point& point : points)
        point.isOffLine = std::ranges::any_of(points, [&](const ScatterPlot::Point& other) {
            return other.x <= point.x && other.y >= point.y &&
                   (other.x < point.x || other.y > point.y);
        });
}

}  // namespace

ParetoPanel::ParetoPanel(QWidget* parent)
    : QWidget(parent), axis_(new QComboBox), text_(new QLabel),
      plot_(new ScatterPlot(tr("SQNR against size or time"))) {
    plot_->setObjectName(QStringLiteral("paretoPlot"));
    plot_->setEmptyText(tr("After quantizing, every recipe is a point here."));
    axis_->setObjectName(QStringLiteral("paretoAxis"));
    axis_->addItem(tr("Size"), size_axis);
    axis_->addItem(tr("Time"), time_axis);
    axis_->setAccessibleName(tr("Against"));
    auto* label = new QLabel(tr("SQNR &against"));
    label->setBuddy(axis_);
    text_->setObjectName(QStringLiteral("paretoText"));
    text_->setForegroundRole(QPalette::PlaceholderText);
    text_->setWordWrap(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 8, 4);
    bar->setSpacing(spacing);
    bar->addWidget(label);
    bar->addWidget(axis_);
    bar->addWidget(text_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(plot_, 1);
    connect(axis_, &QComboBox::currentIndexChanged, this, &ParetoPanel::refresh);
    connect(plot_, &ScatterPlot::pointPicked, this,
            [this](int point) { emit trialPicked(shown_[std::size_t(point)]); });
    refresh();
}

void ParetoPanel::setRecord(const app::QuantizeRecord* record) {
    record_ = record ? *record : app::QuantizeRecord();
    refresh();
}

void ParetoPanel::setCurrentTrial(std::ptrdiff_t trial) {
    current_ = trial;
    const auto at = std::ranges::find(shown_, std::size_t(trial));
    plot_->setCurrent(trial >= 0 && at != shown_.end() ? int(at - shown_.begin()) : -1);
}

void ParetoPanel::refresh() {
    const bool byTime = axis_->currentData().toInt() == time_axis;
    std::vector<ParetoPoint> figures;
    std::vector<std::size_t> trials;
    for (std::size_t i = 0; i < record_.trials.size(); ++i) {
        const app::QuantizeTrial& trial = record_.trials[i];
        if (!trial.failure.empty() || !std::isfinite(trial.sqnr_db)) continue;
        // Times by the ratio to the float model: each was measured in turn with it.
        figures.push_back({trial.bytes, trial.ratio ? trial.ratio->median : 1, trial.sqnr_db});
        trials.push_back(i);
    }
    front_.clear();
    for (const std::size_t index : pareto_front(figures)) front_.push_back(trials[index]);
    shown_.clear();
    std::uint64_t largest = 0;
    for (const ParetoPoint& figure : figures) largest = std::max(largest, figure.bytes);
    const double unit = double(largest) < megabyte ? kilobyte : megabyte;
    std::vector<ScatterPlot::Point> points;
    for (const std::size_t i : trials) {
        const app::QuantizeTrial& trial = record_.trials[i];
        if (byTime && !trial.ms) continue;
        const bool isBest = record_.best == std::ptrdiff_t(i);
        QStringList lines{app::nameOf(trial.options), formatDecibels(trial.sqnr_db),
                          formatBytes(trial.bytes)};
        if (trial.ms) lines << timeText(*trial.ms);
        if (isBest) lines << tr("the result");
        // Of the float model's newest time, so that points agree with the front when the machine
        // drifts.
        const double ms = trial.ratio && record_.original_ms
                              ? trial.ratio->median * record_.original_ms->median
                          : trial.ms ? trial.ms->median
                                     : 0;
        points.push_back({byTime ? ms : double(trial.bytes) / unit, trial.sqnr_db,
                          lines.join(QStringLiteral(", ")),
                          std::ranges::find(front_, i) != front_.end(), isBest});
        shown_.push_back(i);
    }
    plot_->setAxisTitles(byTime             ? tr("Time per run, ms")
                         : unit == megabyte ? tr("Constants in the file, MB")
                                            : tr("Constants in the file, kB"),
                         tr("SQNR, dB"));
    text_->setText(
        trials.empty()
            ? QString()
            : tr("%1 of %2 recipes are beaten by no other in size, time and SQNR. ★ is the "
                 "result; click a point to choose it.")
                  .arg(front_.size())
                  .arg(trials.size()));
    keepEnvelope(points);
    plot_->setPoints(std::move(points));
    setCurrentTrial(current_);
}

}  // namespace lapidary::views

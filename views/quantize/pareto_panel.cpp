// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/pareto_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include <lapidary/quantize/pareto.h>

#include "models/rows_model.h"
#include "quantize/accuracy_slider.h"
#include "quantize/quantize_texts.h"
#include "theme/theme.h"
#include "widgets/plot/plot_scatter.h"
#include "widgets/text/quantity.h"
#include "workbench/text/quantize_text.h"

namespace lapidary::views {
namespace {

enum Axis { size_axis, time_axis };
constexpr double kilobyte = 1e3, megabyte = 1e6;
// how far above the most accurate recipe the float model is drawn: of the range, and at least in dB
constexpr double original_above = 0.15, least_above = 3;
// A float model that lies this many ranges of the recipes to their right stands at the edge: on one
// axis with it they would be one column. How far from them: of the range, and at least of x.
constexpr double far_away = 3, edge_of_range = 0.3, least_edge = 0.02;

/// Removes points from the line that another shown point beats, which has at least the same SQNR at
/// a smaller x.
void keepEnvelope(std::vector<ScatterPlot::Point>& points) {
    for (ScatterPlot::Point& point : points)
        point.isOffLine = std::ranges::any_of(points, [&](const ScatterPlot::Point& other) {
            return other.x <= point.x && other.y >= point.y &&
                   (other.x < point.x || other.y > point.y);
        });
}

/// The point of the float model. It has no noise, so that its SQNR is infinite; it is drawn above
/// all others.
ScatterPlot::Point originalPoint(double x, const app::QuantizeRecord& record,
                                 const std::vector<ScatterPlot::Point>& others) {
    const auto [low, high] = std::ranges::minmax(others, {}, &ScatterPlot::Point::y);
    const auto [left, right] = std::ranges::minmax(others, {}, &ScatterPlot::Point::x);
    const double range = right.x - left.x;
    const bool isFar = range > 0 && x - right.x > far_away * range;
    ScatterPlot::Point point;
    point.x = isFar ? right.x + std::max(range * edge_of_range, right.x * least_edge) : x;
    point.y = high.y + std::max(least_above, (high.y - low.y) * original_above);
    QStringList lines{ParetoPanel::tr("Original: the float model"),
                      ParetoPanel::tr("No noise: it is drawn above all recipes"),
                      formatBytes(record.original_bytes)};
    if (record.original_ms) lines << timeText(*record.original_ms);
    if (isFar) lines << ParetoPanel::tr("It lies farther to the right than it is drawn");
    point.text = lines.join(u'\n');
    point.label = isFar ? ParetoPanel::tr("Original →") : ParetoPanel::tr("Original");
    point.isReference = true;
    return point;
}

}  // namespace

ParetoPanel::ParetoPanel(QWidget* parent)
    : QWidget(parent), axis_(new QComboBox), text_(new QLabel), slider_(new AccuracySlider),
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
    column->addWidget(slider_);
    column->addWidget(plot_, 1);
    connect(axis_, &QComboBox::currentIndexChanged, this, &ParetoPanel::refresh);
    connect(plot_, &ScatterPlot::pointPicked, this, [this](int point) {
        // the float model is no trial
        if (std::size_t(point) < shown_.size()) emit trialPicked(shown_[std::size_t(point)]);
    });
    connect(slider_, &AccuracySlider::trialPicked, this, &ParetoPanel::trialPicked);
    connect(slider_, &AccuracySlider::useRequested, this, &ParetoPanel::useRequested);
    refresh();
}

void ParetoPanel::setRecord(const app::QuantizeRecord* record) {
    record_ = record ? *record : app::QuantizeRecord();
    slider_->setRecord(record_);
    refresh();
}

void ParetoPanel::setUsable(bool usable) { slider_->setUsable(usable); }

void ParetoPanel::setCurrentTrial(std::ptrdiff_t trial) {
    current_ = trial;
    slider_->setCurrentTrial(trial);
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
    std::uint64_t largest = record_.original_bytes;
    for (const ParetoPoint& figure : figures) largest = std::max(largest, figure.bytes);
    const double unit = double(largest) < megabyte ? kilobyte : megabyte;
    std::vector<ScatterPlot::Point> points;
    for (const std::size_t i : trials) {
        const app::QuantizeTrial& trial = record_.trials[i];
        if (byTime && !trial.ms) continue;
        const bool isBest = record_.best == std::ptrdiff_t(i);
        QStringList lines = figureLines(trial, record_.original_bytes);
        if (isBest) lines << tr("the result");
        // Of the float model's newest time, so that points agree with the front when the machine
        // drifts.
        const double ms = trial.ratio && record_.original_ms
                              ? trial.ratio->median * record_.original_ms->median
                          : trial.ms ? trial.ms->median
                                     : 0;
        points.push_back({byTime ? ms : double(trial.bytes) / unit, trial.sqnr_db,
                          lines.join(u'\n'), std::ranges::find(front_, i) != front_.end(), isBest});
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
                 "result; click a point to choose it. The diamond is the float model.")
                  .arg(front_.size())
                  .arg(trials.size()));
    keepEnvelope(points);
    const double original = !byTime               ? double(record_.original_bytes) / unit
                            : record_.original_ms ? record_.original_ms->median
                                                  : 0;
    if (!points.empty() && original > 0) points.push_back(originalPoint(original, record_, points));
    plot_->setPoints(std::move(points));
    setCurrentTrial(current_);
}

}  // namespace lapidary::views

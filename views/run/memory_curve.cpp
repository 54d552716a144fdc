// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/memory_curve.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/plot/plot.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

QVector<double> aliveBytes(const PlanInfo& plan) {
    // Differences first: what begins at a step and what ended before it.
    QVector<double> bytes(static_cast<int>(plan.steps.size()) + 1, 0);
    for (const MemoryBlock& block : plan.blocks) {
        bytes[static_cast<int>(block.first_step)] += static_cast<double>(block.bytes);
        bytes[static_cast<int>(block.last_step) + 1] -= static_cast<double>(block.bytes);
    }
    for (int i = 1; i < bytes.size(); ++i) bytes[i] += bytes[i - 1];
    bytes.removeLast();
    return bytes;
}

MemoryCurve::MemoryCurve(QWidget* parent)
    : QWidget(parent), sentence_(new QLabel), plot_(new Plot) {
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setMargin(spacing);
    plot_->setAxisTitles(tr("Step"), tr("Memory"));
    plot_->setAxisKinds(AxisKind::count, AxisKind::bytes);
    plot_->setAccessibleName(tr("Activation memory over the steps of a run"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sentence_);
    layout->addWidget(plot_, 1);
}

void MemoryCurve::setPlan(const PlanInfo* plan) {
    plot_->clear();
    bytes_.clear();
    names_.clear();
    first_ = last_ = -1;
    if (!plan || plan->blocks.empty()) {
        sentence_->setText(
            tr("No memory plan: it is made on the second run with the same input shapes, and "
               "traces do not carry it."));
        return;
    }
    const QVector<double> bytes = bytes_ = aliveBytes(*plan);
    for (const StepInfo& step : plan->steps) names_ << labelText(step.name);
    QVector<double> steps;
    for (int i = 0; i < bytes.size(); ++i) steps.append(i);
    const auto peak = std::max_element(bytes.begin(), bytes.end());
    const auto at = static_cast<std::size_t>(peak - bytes.begin());
    whole_ = tr("Of the planned block of %4 most is alive in step %2 (%3): %1. Weights as stored "
                "take %5.")
                 .arg(formatBytes(static_cast<std::uint64_t>(*peak)),
                      formatCount(static_cast<std::int64_t>(at)), labelText(plan->steps[at].name),
                      formatBytes(plan->arena_bytes), formatBytes(plan->weight_bytes));
    plot_->setSteps(steps, bytes, tr("alive"));
    plot_->addLevel(static_cast<double>(plan->arena_bytes), tr("planned block"));
    report();
}

void MemoryCurve::setRange(int first, int last) {
    if (bytes_.isEmpty()) return;
    first_ = first < 0 ? -1 : std::min(first, int(bytes_.size()) - 1);
    last_ = first_ < 0 ? -1 : std::clamp(last, first_, int(bytes_.size()) - 1);
    if (first_ < 0) plot_->fit();
    else plot_->showKeys(first_, last_ + 1);
    report();
}

void MemoryCurve::report() {
    if (first_ < 0) return sentence_->setText(whole_);
    const auto peak = std::max_element(bytes_.begin() + first_, bytes_.begin() + last_ + 1);
    sentence_->setText(
        tr("In the selected range, steps %1 to %2, most is alive in step %4 (%5): %3.")
            .arg(formatCount(first_), formatCount(last_),
                 formatBytes(static_cast<std::uint64_t>(*peak)), formatCount(peak - bytes_.begin()),
                 names_.value(int(peak - bytes_.begin()))));
}

QString MemoryCurve::sentence() const { return sentence_->text(); }

}  // namespace lapidary::views

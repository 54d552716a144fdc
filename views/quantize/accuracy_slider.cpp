// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/accuracy_slider.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "models/rows_model.h"
#include "quantize/quantize_texts.h"
#include "theme/theme.h"

namespace lapidary::views {

std::vector<std::size_t> accuracyLadder(const std::vector<app::QuantizeTrial>& trials) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (trials[i].failure.empty() && !std::isnan(trials[i].sqnr_db)) order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return trials[a].bytes != trials[b].bytes ? trials[a].bytes < trials[b].bytes
                                                  : trials[a].sqnr_db > trials[b].sqnr_db;
    });
    std::vector<std::size_t> steps;
    for (const std::size_t trial : order)
        if (steps.empty() || trials[trial].sqnr_db > trials[steps.back()].sqnr_db)
            steps.push_back(trial);
    return steps;
}

AccuracySlider::AccuracySlider(QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal)), figures_(new QLabel),
      use_(new QPushButton(themedIcon(QStringLiteral("check")), tr("Use this recipe"))) {
    slider_->setObjectName(QStringLiteral("accuracySlider"));
    slider_->setAccessibleName(tr("From the smallest recipe to the most accurate"));
    slider_->setToolTip(plainToolTip(
        tr("Recipes that were tried, from the smallest to the most accurate. Those that another "
           "one beats in size and SQNR are left out.")));
    slider_->setTickPosition(QSlider::TicksBelow);
    slider_->setPageStep(1);
    slider_->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    figures_->setObjectName(QStringLiteral("accuracyFigures"));
    figures_->setTextFormat(Qt::PlainText);
    figures_->setWordWrap(true);
    use_->setObjectName(QStringLiteral("useOnSlider"));
    use_->setToolTip(plainToolTip(tr("Make the chosen recipe the result")));
    use_->setEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 2, 8, 2);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing);
    row->addWidget(new QLabel(tr("smallest")));
    row->addWidget(slider_, 1);
    row->addWidget(new QLabel(tr("most accurate")));
    row->addWidget(use_);
    column->addLayout(row);
    column->addWidget(figures_);  // long: beside the slider it would have one word a line
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        if (step >= 0 && std::size_t(step) < steps_.size())
            emit trialPicked(steps_[std::size_t(step)]);
    });
    connect(use_, &QPushButton::clicked, this, &AccuracySlider::useRequested);
    setRecord({});
}

void AccuracySlider::setRecord(const app::QuantizeRecord& record) {
    trials_ = record.trials;
    originalBytes_ = record.original_bytes;
    best_ = record.best;
    steps_ = accuracyLadder(trials_);
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, std::max(0, int(steps_.size()) - 1));
    slider_->setEnabled(steps_.size() > 1);
    setVisible(!steps_.empty());
    setCurrentTrial(current_);
}

void AccuracySlider::setCurrentTrial(std::ptrdiff_t trial) {
    current_ = trial >= 0 && std::size_t(trial) < trials_.size() ? trial : -1;
    showTrial();
}

void AccuracySlider::showTrial() {
    const std::ptrdiff_t shown = current_ >= 0 ? current_ : best_;
    if (shown < 0 || std::size_t(shown) >= trials_.size()) return figures_->clear();
    const std::size_t trial = std::size_t(shown);
    QStringList lines = figureLines(trials_[trial], originalBytes_);
    auto at = std::ranges::find(steps_, trial);
    if (at == steps_.end()) {
        // the step that beats it: at most its bytes and at least its SQNR
        at = std::ranges::find_if(steps_, [&](std::size_t step) {
            return trials_[step].sqnr_db >= trials_[trial].sqnr_db;
        });
        if (at != steps_.end())
            lines << tr("not on the slider, where a recipe as small has at least this SQNR");
    }
    if (at != steps_.end()) {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(int(at - steps_.begin()));
    }
    figures_->setText(lines.join(QStringLiteral(", ")));
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/recommendation_card.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "tune/tune_figures.h"
#include "widgets/cards/answer_card.h"
#include "widgets/flow_layout.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/tuning/engine_beside.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

constexpr int tick_ms = 500;  // of the time left
// largest width of the interval as a ratio; wider results are not shown
constexpr double widest_ratio = 0.5;
constexpr qsizetype longest_failure = 160;  // characters

}  // namespace

RecommendationCard::RecommendationCard(app::Tuning& tuning, app::EngineBeside& beside,
                                       QWidget* parent)
    : QFrame(parent), tuning_(tuning), beside_(beside), sentence_(new QLabel), reasons_(new QLabel),
      left_(new QLabel), bar_(new QProgressBar), start_(new QPushButton), pause_(new QPushButton),
      cancel_(new QPushButton(themedIcon(QStringLiteral("cancel")), tr("Cancel"))),
      verify_(new QPushButton(themedIcon(QStringLiteral("guard")), tr("Verify best 3"))),
      apply_(new QPushButton(themedIcon(QStringLiteral("check")), tr("Apply"))) {
    setObjectName(QStringLiteral("recommendationCard"));
    sentence_->setObjectName(QStringLiteral("tuneSentence"));
    sentence_->setFont(scaledFont(1.12, true));
    sentence_->setAccessibleName(tr("Recommendation"));
    reasons_->setObjectName(QStringLiteral("tuneReasons"));
    reasons_->setForegroundRole(QPalette::PlaceholderText);
    reasons_->setAccessibleName(tr("Confidence"));
    for (QLabel* label : {sentence_, reasons_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    bar_->setTextVisible(false);
    bar_->setFixedWidth(fontMetrics().averageCharWidth() * 18);
    bar_->setAccessibleName(tr("Progress of measuring"));
    start_->setObjectName(QStringLiteral("tuneStart"));
    pause_->setObjectName(QStringLiteral("tunePause"));
    cancel_->setObjectName(QStringLiteral("tuneCancel"));
    verify_->setObjectName(QStringLiteral("tuneVerify"));
    apply_->setObjectName(QStringLiteral("tuneApply"));
    cancel_->setToolTip(plainToolTip(tr("Stop measuring; what was measured is kept")));
    verify_->setToolTip(plainToolTip(
        tr("Measure the three best settings in turn, longer, until they can be told apart")));
    apply_->setToolTip(
        plainToolTip(tr("Run, export and write code with these settings from now on (Undo brings "
                        "the old ones back)")));

    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(buttons, 6, 4);
    for (QWidget* widget :
         {static_cast<QWidget*>(start_), static_cast<QWidget*>(pause_),
          static_cast<QWidget*>(cancel_), static_cast<QWidget*>(verify_),
          static_cast<QWidget*>(apply_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(left_)})
        flow->addWidget(widget);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 10, 20, 10);
    column->setSpacing(5);
    column->addWidget(sentence_);
    column->addWidget(reasons_);
    column->addWidget(buttons);

    connect(start_, &QPushButton::clicked, &tuning_, &app::Tuning::start);
    connect(pause_, &QPushButton::clicked, this,
            [this] { tuning_.setPaused(!tuning_.isPaused()); });
    connect(cancel_, &QPushButton::clicked, &tuning_, &app::Tuning::cancel);
    connect(verify_, &QPushButton::clicked, this, &RecommendationCard::verifyRequested);
    connect(apply_, &QPushButton::clicked, this, &RecommendationCard::applyRequested);
    connect(&tuning_, &app::Tuning::changed, this, &RecommendationCard::refresh);
    connect(&tuning_, &app::Tuning::appliedChanged, this, &RecommendationCard::refresh);
    connect(&beside_, &app::EngineBeside::changed, this, &RecommendationCard::refresh);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] {
        if (tuning_.isRunning() && isVisible()) refreshProgress();
    });
    timer->start(tick_ms);
    refresh();
}

QString RecommendationCard::startText(std::size_t queued, std::ptrdiff_t measured,
                                      std::ptrdiff_t open) {
    if (queued == 1) return tr("Measure 1 queued setting");
    if (queued > 1) return tr("Measure %1 queued settings").arg(queued);
    if (measured == 0) return tr("Start");
    return open > 0 ? tr("Measure the other %1").arg(open) : tr("Measure again");
}

/// Shows the recommendation, or how to get one. Returns the reasons that are shown below it.
QStringList RecommendationCard::reportRecommendation(std::ptrdiff_t measured) {
    const auto result = tuning_.result();
    QStringList why;
    if (result && result->recommendation.cell >= 0) {
        sentence_->setText(sentenceText(app::inWindowLanguage(result->recommendation.sentence)));
        const SweepConfidence confidence = confidence_of(*result, tuning_.verified());
        why << QStringLiteral("%1: %2.").arg(nameOf(confidence.degree),
                                             reasonsOf(confidence).join(QStringLiteral("; ")));
        const RunConfiguration& best =
            result->cells[std::size_t(result->recommendation.cell)].configuration;
        why << tr("Measured: %1, with %2.").arg(tuning_.measuredName(), tuning_.inputsText());
        if (const QString other = reportOtherEngine(); !other.isEmpty()) why << other;
        if (tuning_.applied() == best) why << tr("Applied.");
    } else if (tuning_.isRunning()) {
        sentence_->setText(
            sentenceText(tr("Measuring the first settings of %1 …").arg(tuning_.measuredName())));
    } else if (measured > 0) {
        sentence_->setText(
            sentenceText(result->recommendation.sentence.empty()
                             ? tr("None of the measured settings fits the latency cap.")
                             : app::inWindowLanguage(result->recommendation.sentence)));
    } else {
        sentence_->setText(sentenceText(
            tr("How many threads for %1? Press Start to find out.").arg(tuning_.measuredName())));
        if (result) why << tr("It will run with %1.").arg(tuning_.inputsText());
        if (result)
            why << tr("That takes %1. Click cells to measure only those; figures appear as they "
                      "come in.")
                       .arg(aboutSeconds(tuning_.secondsOfTheRest()));
    }
    if (const app::Machine& machine = tuning_.machine(); !machine.isHere())
        why << tr("Machine: %1.").arg(labelText(machine.text()));
    return why;
}

/// The user's ONNX Runtime with the settings recommended; empty: nothing is known of it.
QString RecommendationCard::reportOtherEngine() const {
    const app::EngineBeside::Found& found = beside_.found();
    if (beside_.isRunning()) return tr("Measuring your ONNX Runtime beside it …");
    if (!found.failure.isEmpty())
        return tr("ONNX Runtime beside it: %1.").arg(labelText(found.failure, longest_failure));
    if (!found.isKnown()) return {};
    const QString time = formatMedian(found.theirs.median, found.theirs.low, found.theirs.high);
    if (!found.ratio) return tr("Your ONNX Runtime with the same settings: %1.").arg(time);
    const MedianEstimate& ratio = found.ratio->ratio;
    const auto times = [](double value) { return QLocale().toString(value, 'f', 2); };
    if (ratio.high - ratio.low > widest_ratio * ratio.median)
        return tr(
            "Your ONNX Runtime was measured in turn with it, but too much else ran to compare "
            "them.");
    return found.ratio->significant
               ? tr("Your ONNX Runtime with the same settings, in turn: %1, %2 times as long (%3 "
                    "to %4).")
                     .arg(time, times(ratio.median), times(ratio.low), times(ratio.high))
               : tr("Your ONNX Runtime with the same settings, in turn: %1, no difference beyond "
                    "noise.")
                     .arg(time);
}

void RecommendationCard::refresh() {
    const auto result = tuning_.result();
    const bool running = tuning_.isRunning(), paused = tuning_.isPaused();
    if (!running) whole_ = 0;
    std::size_t queued = 0;
    for (const app::CellGroup& group : tuning_.queue()) queued += group.size();
    const auto measured =
        result ? std::ranges::count(result->cells, CellState::done, &SweepCell::state) : 0;
    const auto open =
        result ? std::ranges::count(result->cells, CellState::waiting, &SweepCell::state) : 0;

    QStringList why = reportRecommendation(measured);
    if (!tuning_.notice().isEmpty()) why << tuning_.notice();
    reasons_->setText(sentenceText(why.join(u' ')));
    reasons_->setVisible(!why.isEmpty());

    start_->setVisible(!running);
    start_->setEnabled(result && !result->cells.empty());
    start_->setIcon(themedIcon(QStringLiteral("run")));
    start_->setText(startText(queued, measured, open));
    start_->setToolTip(plainToolTip(
        queued > 0
            ? tr("Takes %1 (Ctrl+Return)").arg(aboutSeconds(tuning_.secondsLeft()))
            : tr("Measure what is not measured yet, in random order and in turn (Ctrl+Return)")));
    pause_->setVisible(running);
    pause_->setText(paused ? tr("Go on") : tr("Pause"));
    pause_->setIcon(themedIcon(paused ? QStringLiteral("run") : QStringLiteral("pause")));
    pause_->setToolTip(
        plainToolTip(paused ? tr("Go on measuring")
                            : tr("Leave the machine alone for a while; what is measured stays")));
    cancel_->setVisible(running);
    verify_->setEnabled(!running && measured >= 2);
    apply_->setEnabled(result && result->recommendation.cell >= 0);
    bar_->setVisible(running);
    left_->setVisible(running);
    refreshProgress();
}

void RecommendationCard::refreshProgress() {
    if (!tuning_.isRunning()) return;
    const double left = tuning_.secondsLeft();
    whole_ = std::max(whole_, left);
    bar_->setRange(0, 1000);
    bar_->setValue(whole_ > 0 ? int(1000 * (1 - left / whole_)) : 0);
    left_->setText(
        tuning_.isPaused() ? tr("paused, %1 left").arg(aboutSeconds(left))
        : tuning_.isSettling()
            ? tr("measuring once more what cannot be told apart, %1 left").arg(aboutSeconds(left))
        : tuning_.isVerifying() ? tr("verifying, %1 left").arg(aboutSeconds(left))
                                : tr("%1 left").arg(aboutSeconds(left)));
}

void RecommendationCard::paintEvent(QPaintEvent*) { paintAnswerCard(*this); }

}  // namespace lapidary::views

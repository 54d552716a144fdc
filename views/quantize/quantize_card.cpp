// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/quantize_card.h"

#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "quantize/quantize_texts.h"
#include "theme/theme.h"
#include "widgets/cards/answer_card.h"
#include "widgets/flow_layout.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/jobs/job_runner.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

constexpr int tick_ms = 200;

}  // namespace

QuantizeCard::QuantizeCard(app::Quantizing& quantizing, QWidget* parent)
    : QFrame(parent), quantizing_(quantizing), sentence_(new QLabel), grounds_(new QLabel),
      stage_(new QLabel), bar_(new QProgressBar), start_(new QPushButton),
      stop_(new QPushButton(themedIcon(QStringLiteral("cancel")), tr("&Stop"))),
      compare_(new QPushButton(themedIcon(QStringLiteral("split")), tr("Compare"))),
      export_(new QPushButton(themedIcon(QStringLiteral("export")), tr("Export …"))),
      show_(new QPushButton(themedIcon(QStringLiteral("graph")), tr("Show graph"))),
      report_(new QPushButton(themedIcon(QStringLiteral("file")), tr("Report …"))) {
    setObjectName(QStringLiteral("quantizeCard"));
    sentence_->setObjectName(QStringLiteral("quantizeSentence"));
    sentence_->setFont(scaledFont(1.12, true));
    sentence_->setAccessibleName(tr("Result"));
    grounds_->setObjectName(QStringLiteral("quantizeGrounds"));
    grounds_->setForegroundRole(QPalette::PlaceholderText);
    grounds_->setAccessibleName(tr("What the result rests on"));
    for (QLabel* label : {sentence_, grounds_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    bar_->setTextVisible(false);
    bar_->setFixedWidth(fontMetrics().averageCharWidth() * 18);
    bar_->setRange(0, 1000);
    bar_->setAccessibleName(tr("Progress of quantizing"));
    stage_->setTextFormat(Qt::PlainText);
    stage_->setForegroundRole(QPalette::PlaceholderText);
    start_->setObjectName(QStringLiteral("quantizeStart"));
    start_->setIcon(themedIcon(QStringLiteral("run")));
    stop_->setObjectName(QStringLiteral("quantizeStop"));
    compare_->setObjectName(QStringLiteral("quantizeCompare"));
    export_->setObjectName(QStringLiteral("quantizeExport"));
    show_->setObjectName(QStringLiteral("quantizeShow"));
    report_->setObjectName(QStringLiteral("quantizeReport"));
    report_->setToolTip(
        plainToolTip(tr("Write an HTML page with sentence, recipes, layers, ranges and nodes")));
    start_->setToolTip(
        plainToolTip(tr("Try recipes on the samples and keep the best (Ctrl+Return)")));
    stop_->setToolTip(plainToolTip(tr("Stop trying; the best so far is kept")));
    compare_->setToolTip(plainToolTip(
        tr("Put the float model in slot A, the quantized one in slot B, and open Compare")));
    export_->setToolTip(plainToolTip(tr("Write the quantized model to a file")));
    show_->setToolTip(plainToolTip(tr("Show the quantized model in all views, its graph first")));

    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(buttons, 6, 4);
    for (QWidget* widget : {static_cast<QWidget*>(start_), static_cast<QWidget*>(stop_),
                            static_cast<QWidget*>(compare_), static_cast<QWidget*>(export_),
                            static_cast<QWidget*>(show_), static_cast<QWidget*>(report_),
                            static_cast<QWidget*>(bar_), static_cast<QWidget*>(stage_)})
        flow->addWidget(widget);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 10, 20, 10);
    column->setSpacing(5);
    column->addWidget(sentence_);
    column->addWidget(grounds_);
    column->addWidget(buttons);

    connect(start_, &QPushButton::clicked, &quantizing_, &app::Quantizing::start);
    connect(stop_, &QPushButton::clicked, &quantizing_, &app::Quantizing::cancel);
    connect(compare_, &QPushButton::clicked, this, &QuantizeCard::compareRequested);
    connect(export_, &QPushButton::clicked, this, &QuantizeCard::exportRequested);
    connect(report_, &QPushButton::clicked, this, &QuantizeCard::reportRequested);
    connect(show_, &QPushButton::clicked, this, &QuantizeCard::showRequested);
    connect(&quantizing_, &app::Quantizing::changed, this, &QuantizeCard::refresh);
    connect(&quantizing_, &app::Quantizing::choiceChanged, this, &QuantizeCard::refresh);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] {
        if (quantizing_.isRunning() && isVisible()) refreshProgress();
    });
    timer->start(tick_ms);
    refresh();
}

void QuantizeCard::refresh() {
    const auto record = quantizing_.record();
    const bool running = quantizing_.isRunning(), found = record && record->best >= 0;
    QStringList why;
    if (found) {
        sentence_->setText(sentenceText(verdictOf(*record)));
        for (const std::string& warning : record->warnings)
            why << tr("Warning: %1").arg(sentenceText(app::inWindowLanguage(warning)));
        why << groundsOf(*record).join(QStringLiteral("  ·  "))
            << whyNotMostAccurate(*record, quantizing_.choice().goal);
        if (record->original_ms && record->original_ms->samples > 0)
            why << tr("Float and quantized were timed in turn at %1, on the first sample.")
                       .arg(quantizing_.timedUnder());
    } else if (running) {
        sentence_->setText(quantizing_.job() ? tr("Trying the first recipe …")
                                             : tr("Looking at the samples …"));
    } else {
        sentence_->setText(tr("How small and fast can it be? Press Quantize to find out."));
        why << tr("Recipes are tried on the samples; the best is kept as a variant beside the "
                  "original.")
            << tr("Every node says why it was quantized or not.");
    }
    if (!quantizing_.notice().isEmpty()) why << quantizing_.notice();
    if (found && !running && !record->complete && quantizing_.notice().isEmpty())
        why << tr("The time was over before all recipes were tried.");
    if (found && !running && quantizing_.choice().goal != app::QuantizeGoal::accurate &&
        !reaches(record->trials[std::size_t(record->best)], quantizing_.choice().floor))
        why << tr("No recipe reached the floor: this is the most accurate.");
    why.removeAll(QString());
    grounds_->setText(sentenceText(why.join(u'\n')));
    grounds_->setVisible(!why.isEmpty());
    start_->setText(found ? tr("&Quantize again") : tr("&Quantize"));
    start_->setVisible(!running);
    stop_->setVisible(running);
    bar_->setVisible(running);
    stage_->setVisible(running);
    const bool ready = found && !running && quantizing_.variant();
    for (QPushButton* button : {compare_, export_, show_}) {
        button->setVisible(found && !running);
        button->setEnabled(ready);
    }
    report_->setVisible(found && !running);
    refreshProgress();
}

void QuantizeCard::refreshProgress() {
    const app::Job* job = quantizing_.job();
    if (!job) return;
    const double budget = quantizing_.choice().budgetSeconds,
                 seconds = quantizing_.secondsRunning();
    const double byTime = budget > 0 ? seconds / budget : 0;
    bar_->setValue(
        int(1000 * std::clamp(std::max(job->fraction(), std::min(byTime, 0.99)), 0.0, 1.0)));
    const auto record = quantizing_.record();
    const std::size_t tried = record ? record->trials.size() : 0;
    stage_->setText(tried > 0 ? tr("recipes tried: %1, %2 s").arg(tried).arg(int(seconds))
                              : tr("%1 s").arg(int(seconds)));
}

void QuantizeCard::paintEvent(QPaintEvent*) { paintAnswerCard(*this); }

}  // namespace lapidary::views

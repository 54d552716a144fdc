// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/generate_card.h"

#include <QHBoxLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

#include "generate/generate_words.h"
#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/cards/answer_card.h"
#include "workbench/jobs/generating.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int tick_ms = 200;

}  // namespace

GenerateCard::GenerateCard(app::Generating& generating, QWidget* parent)
    : QFrame(parent), generating_(generating), sentence_(new QLabel), advice_(new QLabel),
      grounds_(new QLabel), stage_(new QLabel), bar_(new QProgressBar),
      quantize_(new QPushButton(themedIcon(QStringLiteral("quantize")), tr("Quantize …"))) {
    setObjectName(QStringLiteral("generateCard"));
    sentence_->setObjectName(QStringLiteral("generateSentence"));
    sentence_->setFont(scaledFont(1.12, true));
    sentence_->setAccessibleName(tr("Result"));
    advice_->setObjectName(QStringLiteral("generateAdvice"));
    advice_->setAccessibleName(tr("Advice"));
    grounds_->setObjectName(QStringLiteral("generateGrounds"));
    grounds_->setAccessibleName(tr("What the result rests on"));
    grounds_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {sentence_, advice_, grounds_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    stage_->setTextFormat(Qt::PlainText);
    stage_->setForegroundRole(QPalette::PlaceholderText);
    bar_->setTextVisible(false);
    bar_->setFixedWidth(fontMetrics().averageCharWidth() * 18);
    bar_->setRange(0, 1000);
    bar_->setAccessibleName(tr("Progress of generating"));
    quantize_->setObjectName(QStringLiteral("generateQuantize"));
    quantize_->setToolTip(plainToolTip(tr("Open the page that makes weights smaller")));
    auto* below = new QHBoxLayout;
    below->setContentsMargins(0, 0, 0, 0);
    below->addWidget(quantize_);
    below->addWidget(bar_);
    below->addWidget(stage_, 1);
    below->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 10, 20, 10);
    column->setSpacing(5);
    column->addWidget(sentence_);
    column->addWidget(advice_);
    column->addWidget(grounds_);
    column->addLayout(below);
    connect(quantize_, &QPushButton::clicked, this, &GenerateCard::quantizeRequested);
    connect(&generating_, &app::Generating::changed, this, &GenerateCard::refresh);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] {
        if (generating_.isRunning() && isVisible()) refreshProgress();
    });
    timer->start(tick_ms);
    refresh();
}

void GenerateCard::refresh() {
    const app::GenerateRecordPtr record = generating_.record();
    const bool running = generating_.isRunning();
    QStringList grounds;
    QString advice;
    if (record && !record->sides.empty() && !record->sides[0].tokens.empty()) {
        sentence_->setText(generateSentence(*record));
        advice = running ? QString() : generateAdvice(*record);
        grounds << generating_.names().join(QStringLiteral(" · ")) << generateGrounds(*record);
    } else if (running) {
        sentence_->setText(tr("Waiting for the first token …"));
    } else {
        sentence_->setText(tr("How fast will it talk? Press Generate to find out."));
        grounds << tr(
            "Tokens appear as they come; some are recorded to see where their time goes.");
    }
    if (!generating_.notice().isEmpty()) grounds << generating_.notice();
    advice_->setText(sentenceText(advice));
    advice_->setVisible(!advice.isEmpty());
    grounds_->setText(sentenceText(grounds.join(QStringLiteral("  ·  "))));
    quantize_->setVisible(!running && record && adviseQuantizing(*record));
    bar_->setVisible(running);
    stage_->setVisible(running);
    refreshProgress();
}

void GenerateCard::refreshProgress() {
    const app::Job* job = generating_.job();
    const double fraction = job ? job->fraction() : -1;
    stage_->setText(job ? labelText(job->stage()) : tr("making the variant"));
    bar_->setValue(int(std::clamp(fraction, 0.0, 1.0) * 1000));
}

void GenerateCard::paintEvent(QPaintEvent*) { paintAnswerCard(*this); }

}  // namespace lapidary::views

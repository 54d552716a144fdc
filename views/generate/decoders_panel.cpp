// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/decoders_panel.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QSplitter>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

#include "generate/decoder_table.h"
#include "generate/decoder_words.h"
#include "generate/rate_curve.h"
#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/choices/model_choices.h"
#include "widgets/flow_layout.h"
#include "workbench/jobs/generating.h"
#include "workbench/jobs/measured_decoders.h"
#include "workbench/text/bounded_text.h"
#include "workbench/workbench.h"
#include "worker/protocol/run_record.h"

namespace lapidary::views {
namespace {

constexpr int refresh_ms = 200;
constexpr int most_text_tokens = 1'000'000;

/// The file of text that is dragged; empty: it is something else.
QString textIn(const QMimeData* data) {
    if (!data || !data->hasUrls() || data->urls().size() != 1) return {};
    const QString path = data->urls().first().toLocalFile();
    const QString ending = QFileInfo(path).suffix().toLower();
    const QStringList endings{QStringLiteral("txt"), QStringLiteral("md"), QStringLiteral("ids")};
    return endings.contains(ending) ? path : QString();
}

}  // namespace

DecodersPanel::DecodersPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), decoders_(workbench.measuredDecoders()), text_(new QLineEdit),
      threads_(new QLineEdit), tokens_(new QSpinBox), half_(new QCheckBox),
      choose_(new QPushButton(tr("Choose …"))), start_(new QPushButton), sentence_(new QLabel),
      grounds_(new QLabel), stage_(new QLabel), advice_(new QLabel), bar_(new QProgressBar),
      table_(new DecoderTable), curve_(new RateCurve) {
    setObjectName(QStringLiteral("decodersPanel"));
    setAcceptDrops(true);
    auto* row = new QHBoxLayout;
    row->addWidget(makeFields(), 1);
    row->addWidget(start_, 0, Qt::AlignTop);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(QStringLiteral("decodersSplitter"));
    splitter->addWidget(makeTable());
    splitter->addWidget(curve_);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 4);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(makeAnswer());
    column->addWidget(splitter, 1);
    start_->setObjectName(QStringLiteral("decodersStart"));
    start_->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    connect(start_, &QPushButton::clicked, this, &DecodersPanel::toggle);
    connect(&decoders_, &app::MeasuredDecoders::changed, this, &DecodersPanel::refresh);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] {
        if (decoders_.isRunning() && isVisible()) refreshProgress();
    });
    timer->start(refresh_ms);
    refresh();
}

void DecodersPanel::addField(QWidget* box, const QString& label, QWidget* field,
                             const QString& tip) {
    auto* name = new QLabel(label);
    name->setBuddy(field);
    for (QWidget* widget : {static_cast<QWidget*>(name), field})
        widget->setToolTip(plainToolTip(tip));
    QString plain = label;
    field->setAccessibleName(plain.remove(u'&'));
    field->setAccessibleDescription(tip);
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(name);
    row->addWidget(field);
    if (field == text_) row->addWidget(choose_);
    box->layout()->addWidget(both);
}

QWidget* DecodersPanel::makeFields() {
    auto* box = new QWidget;
    new FlowLayout(box);
    text_->setObjectName(QStringLiteral("decodersText"));
    text_->setPlaceholderText(tr("drop a text here"));
    text_->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    text_->setText(decoders_.choice().text);
    keepAcrossModels(*text_);
    addField(box, tr("Te&xt"), text_,
             tr("A file of text that every variant has to predict, token by token. Without a "
                "tokenizer.json beside the model it has numbers of tokens, with spaces between "
                "them."));
    choose_->setObjectName(QStringLiteral("decodersChooseText"));
    choose_->setToolTip(plainToolTip(tr("Choose the file of text")));
    tokens_->setObjectName(QStringLiteral("decodersTextTokens"));
    tokens_->setRange(2, most_text_tokens);
    tokens_->setGroupSeparatorShown(true);
    tokens_->setValue(decoders_.choice().textTokens);
    addField(box, tr("&Up to"), tokens_,
             tr("Tokens of the text that are taken: more give narrower errors, and take longer"));
    tokens_->setSuffix(tr(" tokens"));
    half_->setObjectName(QStringLiteral("decodersHalf"));
    half_->setText(tr("Caches in &float16 too"));
    half_->setChecked(decoders_.choice().halfCaches);
    half_->setToolTip(
        plainToolTip(tr("Measure each variant once more with its keys and values in float16, "
                        "which take half the memory and half the reading")));
    box->layout()->addWidget(half_);
    threads_->setObjectName(QStringLiteral("decodersThreads"));
    threads_->setPlaceholderText(tr("as on Run"));
    threads_->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    addField(box, tr("Thr&eads"), threads_,
             tr("Numbers of threads with commas between them: each variant is measured with each "
                "of them"));
    connect(choose_, &QPushButton::clicked, this, &DecodersPanel::chooseText);
    return box;
}

QWidget* DecodersPanel::makeAnswer() {
    sentence_->setObjectName(QStringLiteral("decodersSentence"));
    sentence_->setFont(scaledFont(1.06, true));
    sentence_->setAccessibleName(tr("Result"));
    grounds_->setObjectName(QStringLiteral("decodersGrounds"));
    grounds_->setAccessibleName(tr("What the result rests on"));
    for (QLabel* label : {sentence_, grounds_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    for (QLabel* label : {grounds_, stage_}) label->setForegroundRole(QPalette::PlaceholderText);
    stage_->setTextFormat(Qt::PlainText);
    bar_->setTextVisible(false);
    bar_->setFixedWidth(fontMetrics().averageCharWidth() * 18);
    bar_->setRange(0, 1000);
    bar_->setAccessibleName(tr("Progress of measuring"));
    auto* answer = new QWidget;
    auto* column = new QVBoxLayout(answer);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(sentence_);
    column->addWidget(grounds_);
    auto* below = new QHBoxLayout;
    below->addWidget(bar_);
    below->addWidget(stage_, 1);
    below->addStretch();
    column->addLayout(below);
    return answer;
}

/// The table, and what is to say on its chosen row.
QWidget* DecodersPanel::makeTable() {
    advice_->setObjectName(QStringLiteral("decodersAdvice"));
    advice_->setAccessibleName(tr("Advice on the chosen variant"));
    advice_->setWordWrap(true);
    advice_->setTextFormat(Qt::PlainText);
    advice_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(table_, 1);
    column->addWidget(advice_);
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &DecodersPanel::refreshAdvice);
    return box;
}

std::vector<int> DecodersPanel::threads() const {
    std::vector<int> counts;
    for (const std::int64_t count : app::tokensFrom(threads_->text()))
        if (count >= 1 && count <= app::most_run_threads) counts.push_back(int(count));
    return counts;
}

void DecodersPanel::publish() {
    app::DecodersChoice choice = decoders_.choice();
    choice.text = text_->text().trimmed();
    choice.textTokens = tokens_->value();
    choice.halfCaches = half_->isChecked();
    choice.threads = threads();
    decoders_.setChoice(choice);
}

void DecodersPanel::toggle() {
    if (decoders_.isRunning()) return decoders_.cancel();
    publish();
    decoders_.start();
}

void DecodersPanel::setText(const QString& path) { text_->setText(path); }

void DecodersPanel::chooseText() {
    auto* dialog = new QFileDialog(this, tr("Text to predict"));
    dialog->setObjectName(QStringLiteral("decodersTextDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Texts (*.txt *.md *.ids)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &DecodersPanel::setText);
    dialog->open();
}

void DecodersPanel::refresh() {
    const app::DecodersRecordPtr record = decoders_.record();
    const bool running = decoders_.isRunning();
    const QStringList names = record ? sideNames(*record, decoders_.names()) : QStringList();
    const QString said = record ? decodersSentence(*record, names) : QString();
    sentence_->setText(sentenceText(
        !said.isEmpty() ? said
        : running       ? tr("Measuring …")
                        : tr("How many bits can it lose? Press Measure: every variant of the "
                                   "model is run at 128 to 1,024 tokens of context.")));
    QStringList grounds;
    if (record) grounds = decodersGrounds(*record, decoders_.measuredText());
    if (!running && decoders_.recipes().size() == 1)
        grounds << tr("this is the only variant: Quantize makes others");
    if (!decoders_.notice().isEmpty()) grounds << decoders_.notice();
    grounds_->setText(sentenceText(grounds.join(QStringLiteral("  ·  "))));
    grounds_->setVisible(!grounds.isEmpty());
    table_->setRecord(record.get(), names);
    curve_->setMeasuring(running);
    curve_->setRecord(record.get(), names);
    refreshAdvice();
    start_->setText(running ? tr("Sto&p") : tr("&Measure"));
    start_->setIcon(themedIcon(running ? QStringLiteral("cancel") : QStringLiteral("run")));
    start_->setToolTip(plainToolTip(running ? tr("Stop; what was measured is kept")
                                            : tr("Measure all variants, one after another")));
    for (QWidget* field : {static_cast<QWidget*>(text_), static_cast<QWidget*>(tokens_),
                           static_cast<QWidget*>(half_), static_cast<QWidget*>(choose_),
                           static_cast<QWidget*>(threads_)})
        field->setEnabled(!running);
    bar_->setVisible(running);
    stage_->setVisible(running);
    refreshProgress();
}

void DecodersPanel::refreshAdvice() {
    const DecoderRow* row = table_->chosen();
    QString said;
    if (row) said = row->side.error.empty() ? decoderAdvice(row->side) : failureText(row->side);
    advice_->setText(said.isEmpty() ? said
                                    : sentenceText(QStringLiteral("%1: %2").arg(row->name, said)));
    advice_->setVisible(!said.isEmpty());
}

/// Variants may have been made since.
void DecodersPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void DecodersPanel::refreshProgress() {
    const app::Job* job = decoders_.job();
    stage_->setText(job ? labelText(job->stage()) : tr("making the variants"));
    bar_->setValue(int(std::clamp(job ? job->fraction() : 0.0, 0.0, 1.0) * 1000));
}

void DecodersPanel::dragEnterEvent(QDragEnterEvent* event) {
    if (!decoders_.isRunning() && !textIn(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void DecodersPanel::dropEvent(QDropEvent* event) {
    const QString path = textIn(event->mimeData());
    if (path.isEmpty() || decoders_.isRunning()) return;
    event->acceptProposedAction();
    setText(path);
}

}  // namespace lapidary::views

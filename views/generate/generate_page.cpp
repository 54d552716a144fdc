// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/generate_page.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include "generate/decoders_panel.h"
#include "generate/generate_card.h"
#include "generate/generate_words.h"
#include "generate/prompt_bar.h"
#include "generate/side_table.h"
#include "generate/token_time_bars.h"
#include "generate/token_view.h"
#include "theme/theme.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/plot/context_memory_plot.h"
#include "widgets/plot/plot.h"
#include "widgets/visible_tabs.h"
#include "workbench/jobs/generating.h"
#include "workbench/jobs/measured_decoders.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"

namespace lapidary::views {

GeneratePage::GeneratePage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), generating_(workbench.generating()),
      stack_(new QStackedWidget), empty_(new EmptyState), banner_(new MessageBanner),
      prompt_(new PromptBar(workbench)), card_(new GenerateCard(workbench.generating())),
      tokens_(new TokenView), tabs_(new QTabWidget), times_(new Plot), memory_(new Plot),
      timeSentence_(new QLabel), memorySentence_(new QLabel), parts_(new TokenTimeBars),
      sides_(new SideTable), decoders_(new DecodersPanel(workbench)) {
    setObjectName(QStringLiteral("generatePage"));
    makeActions();
    stack_->addWidget(empty_);
    stack_->addWidget(makeContent());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(banner_);
    layout->addWidget(stack_, 1);
    connect(empty_, &EmptyState::clicked, this, [this] {
        if (state_ == State::nothingOpen) emit openRequested();
        else emit pageRequested(QStringLiteral("start"));
    });
    connect(card_, &GenerateCard::quantizeRequested, this,
            [this] { emit pageRequested(QStringLiteral("quantize")); });
    connect(&generating_, &app::Generating::changed, this, &GeneratePage::refresh);
    connect(&generating_, &app::Generating::failed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("Generating failed"),
                             sentenceText(reason), reason);
    });
    connect(&workbench_.measuredDecoders(), &app::MeasuredDecoders::failed, this,
            [this](const QString& reason) {
                banner_->showMessage(MessageBanner::Kind::error, tr("Measuring failed"),
                                     sentenceText(reason), reason);
            });
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        banner_->hide();
        refresh();
    });
    refresh();
}

void GeneratePage::makeActions() {
    const auto add = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                            const QString& tip) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(
            shortcut.isEmpty()
                ? tip
                : QStringLiteral("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
        action->setStatusTip(tip);
        action->setProperty("commandGroup", tr("Generate"));
        actions_.append(action);
        return action;
    };
    start_ = add(tr("Generate tokens"), "run", QKeySequence(Qt::CTRL | Qt::Key_Return),
                 tr("Generate tokens behind the prompt, or stop it"));
    measure_ = add(tr("Measure the decoder's variants"), "run", {},
                   tr("Measure all variants of the decoder side by side, or stop it"));
    copyTokens_ = add(tr("Copy the tokens"), "copy", {}, tr("Copy the generated tokens"));
    copy_ =
        add(tr("Copy the generate command"), "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
            tr("Copy the lapidary-cli command that generates the same"));
    connect(start_, &QAction::triggered, prompt_, &PromptBar::toggle);
    connect(measure_, &QAction::triggered, this, [this] {
        tabs_->setCurrentWidget(decoders_);
        decoders_->toggle();
    });
    connect(copyTokens_, &QAction::triggered, this, [this] {
        if (const auto record = generating_.record(); record && !record->sides.empty())
            QApplication::clipboard()->setText(app::textOf(record->sides[0].tokens));
    });
    connect(copy_, &QAction::triggered, this, [this] {
        QApplication::clipboard()->setText(generating_.commandLine());
        emit statusMessage(tr("Copied: %1").arg(generating_.commandLine()));
    });
}

/// A plot with a sentence above it, which stands alone until there is something to draw.
QWidget* GeneratePage::makePlot(Plot* plot, QLabel* sentence, const char* name) {
    sentence->setObjectName(QLatin1String(name));
    sentence->setWordWrap(true);
    sentence->setTextFormat(Qt::PlainText);
    sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    sentence->setMargin(spacing);
    auto* panel = new QWidget;
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(sentence);
    column->addWidget(plot, 1);
    return panel;
}

QWidget* GeneratePage::makeContent() {
    times_->setAxisTitles(tr("Tokens of context"), tr("Milliseconds a token"));
    times_->setAxisKinds(AxisKind::count, AxisKind::number);
    times_->setAccessibleName(tr("Time of each token over the context"));
    memory_->setAxisTitles(tr("Tokens of context"), tr("Memory"));
    memory_->setAxisKinds(AxisKind::count, AxisKind::bytes);
    memory_->setAccessibleName(tr("Memory over the context"));
    auto* parts = new QScrollArea;
    parts->setWidget(parts_);
    parts->setWidgetResizable(true);
    parts->setFrameShape(QFrame::NoFrame);
    parts->setAccessibleName(tr("Where a token's time goes"));
    tabs_->setObjectName(QStringLiteral("generateTabs"));
    keepTabsVisible(*tabs_);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Figures of the tokens"));
    tabs_->addTab(makePlot(times_, timeSentence_, "generateTimes"), tr("&Latency"));
    tabs_->addTab(parts, tr("Token p&arts"));
    tabs_->addTab(makePlot(memory_, memorySentence_, "generateMemory"), tr("Memor&y"));
    tabs_->addTab(sides_, tr("A and &B"));
    tabs_->addTab(decoders_, tr("Va&riants"));
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setObjectName(QStringLiteral("generateSplitter"));
    splitter->addWidget(tokens_);
    splitter->addWidget(tabs_);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(prompt_);
    column->addWidget(card_);
    column->addWidget(splitter, 1);
    return content;
}

void GeneratePage::refresh() {
    const bool open = workbench_.opened() != nullptr;
    state_ = !open                             ? State::nothingOpen
             : generating_.refusal().isEmpty() ? State::ready
                                               : State::noDecoder;
    stack_->setCurrentIndex(state_ == State::ready ? 1 : 0);
    const app::GenerateRecordPtr record = generating_.record();
    const bool any = record && !record->sides.empty() && !record->sides[0].tokens.empty();
    for (QAction* action : {start_, measure_}) action->setEnabled(state_ == State::ready);
    copyTokens_->setEnabled(any);
    copy_->setEnabled(state_ == State::ready && !generating_.commandLine().isEmpty());
    if (state_ != State::ready) refreshEmpty();
    if (generating_.isRunning() && !any) banner_->hide();
    tokens_->setRecord(record.get(), generating_.choice().text);
    parts_->setRecord(record.get());
    sides_->setRecord(record.get(), generating_.names());
    refreshPlots();
}

void GeneratePage::refreshEmpty() {
    if (state_ == State::nothingOpen) {
        empty_->setMessage(QStringLiteral("generate"), tr("No model is open"),
                           tr("Open a language model that generates tokens, or take the sample "
                              "Llama-160m from the start page. Here you will see how fast it "
                              "talks, and why."));
        empty_->setButton(QStringLiteral("open"), tr("Open …"));
        return;
    }
    empty_->setMessage(
        QStringLiteral("generate"), tr("This model does not generate tokens"),
        tr("It is no decoder: %1. Open a language model with input_ids and logits, such as the "
           "sample Llama-160m.")
            .arg(sentenceText(app::inWindowLanguage(generating_.refusal().toStdString()))));
    empty_->setButton(QStringLiteral("start"), tr("Choose a sample"));
}

void GeneratePage::showPart(const QString& part) {
    if (part == QLatin1String("variants")) tabs_->setCurrentWidget(decoders_);
}

void GeneratePage::refreshPlots() {
    times_->clear();
    memory_->clear();
    const app::GenerateRecordPtr record = generating_.record();
    const auto say = [](QLabel& label, const QString& said, const QString& otherwise) {
        label.setText(said.isEmpty() ? otherwise : said);
    };
    const bool any = record && !record->sides.empty();
    say(*timeSentence_, any ? rateSentence(*record) : QString(),
        tr("The time of each token, as they come."));
    say(*memorySentence_, any ? memorySentence(*record) : QString(),
        tr("Weights, caches and activations appear when a token has been recorded."));
    times_->setVisible(any && !record->sides[0].token_ms.empty());
    memory_->setVisible(any && !record->sides[0].samples.empty());
    if (!record) return;
    const bool two = record->sides.size() > 1;
    for (std::size_t i = 0; i < record->sides.size(); ++i) {
        const app::GeneratedSide& side = record->sides[i];
        const QString name = two ? (i == 0 ? tr("A") : tr("B")) : tr("each token");
        QVector<double> contexts, times;
        for (std::size_t t = 0; t < side.token_ms.size(); ++t) {
            contexts.append(double(record->prompt.size()) + double(t) + 1);
            times.append(side.token_ms[t]);
        }
        if (!times.isEmpty()) times_->setSteps(contexts, times, name);
        drawContextMemory(*memory_, memoryOf(*record, side), two ? name : QString());
    }
    if (!two && !record->sides.empty() && !record->sides[0].samples.empty())
        drawWeights(*memory_, memoryOf(*record, record->sides[0]));
}

}  // namespace lapidary::views

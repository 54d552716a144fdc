// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/prompt_bar.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <limits>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/choices/model_choices.h"
#include "widgets/flow_layout.h"
#include "workbench/jobs/comparison.h"
#include "workbench/jobs/generating.h"

namespace lapidary::views {
namespace {

constexpr int most_top = 1'000'000;

/// A field of numbers that commas part; true where it is as it should be.
bool areTokens(const QLineEdit& field) {
    return field.text().trimmed().isEmpty() || !app::tokensFrom(field.text()).empty();
}

}  // namespace

PromptBar::PromptBar(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), generating_(workbench.generating()),
      first_(new QWidget), rest_(new QWidget), prompt_(new QLineEdit), stop_(new QLineEdit),
      temperature_(new QDoubleSpinBox), topP_(new QDoubleSpinBox), kind_(new QComboBox),
      who_(new QComboBox), caches_(new QComboBox), more_(new QToolButton), problem_(new QLabel),
      start_(new QPushButton) {
    setObjectName(QStringLiteral("promptBar"));
    new FlowLayout(first_);
    new FlowLayout(rest_);
    addFields();
    addMoreFields();
    rest_->setVisible(false);
    start_->setObjectName(QStringLiteral("generateStart"));
    start_->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    problem_->setObjectName(QStringLiteral("promptProblem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->addWidget(first_, 1);
    row->addWidget(start_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 4);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(rest_);
    column->addWidget(problem_);
    connect(start_, &QPushButton::clicked, this, &PromptBar::toggle);
    connect(prompt_, &QLineEdit::returnPressed, this, [this] {
        if (!generating_.isRunning()) toggle();
    });
    for (QLineEdit* field : {prompt_, stop_})
        connect(field, &QLineEdit::textChanged, this, &PromptBar::refresh);
    connect(kind_, &QComboBox::activated, this, &PromptBar::refresh);
    connect(&generating_, &app::Generating::changed, this, &PromptBar::refresh);
    connect(&workbench_.comparison(), &app::Comparison::pairChanged, this, &PromptBar::refresh);
    refresh();
}

void PromptBar::addField(QWidget* box, const QString& label, QWidget* field, const QString& tip) {
    auto* text = new QLabel(label);
    text->setBuddy(field);
    text->setToolTip(plainToolTip(tip));
    field->setToolTip(plainToolTip(tip));
    QString plain = label;
    field->setAccessibleName(plain.remove(u'&'));
    field->setAccessibleDescription(tip);
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(text);
    row->addWidget(field);
    box->layout()->addWidget(both);
}

QSpinBox* PromptBar::addSpin(QWidget* box, const char* name, const QString& label,
                             const QString& tip, int low, int high, int value) {
    auto* spin = new QSpinBox;
    spin->setObjectName(QLatin1String(name));
    spin->setRange(low, high);
    spin->setValue(value);
    spin->setGroupSeparatorShown(true);
    spin->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    addField(box, label, spin, tip);
    return spin;
}

void PromptBar::addFields() {
    const app::GenerateChoice& choice = generating_.choice();
    prompt_->setObjectName(QStringLiteral("promptTokens"));
    prompt_->setText(app::textOf(choice.prompt));
    keepAcrossModels(*prompt_);
    prompt_->setMinimumWidth(fontMetrics().averageCharWidth() * 32);
    addField(first_, tr("&Prompt"), prompt_,
             tr("What the answer follows: tokens as numbers with commas between them, or a text "
                "where a tokenizer.json lies beside the model"));
    kind_->setObjectName(QStringLiteral("promptKind"));
    kind_->addItem(tr("as text"));
    kind_->addItem(tr("as tokens"));
    kind_->setAccessibleName(tr("Kind of prompt"));
    kind_->setToolTip(
        plainToolTip(tr("Whether the prompt is a text, which the model's tokenizer makes tokens "
                        "of, or the tokens themselves")));
    first_->layout()->addWidget(kind_);
    newTokens_ =
        addSpin(first_, "newTokens", tr("Ne&w tokens"), tr("Tokens that are generated at most"), 1,
                int(app::most_new_tokens), choice.newTokens);
    who_->setObjectName(QStringLiteral("generateWith"));
    who_->addItem(tr("The variant in force"));
    who_->addItem(tr("A and B in turn"));
    addField(first_, tr("W&ith"), who_,
             tr("A and B are the variants of the Compare page. A chooses the tokens; B is given "
                "the same ones, and its logits are compared."));
    more_->setObjectName(QStringLiteral("moreGenerate"));
    more_->setCheckable(true);
    more_->setText(tr("More …"));
    more_->setToolTip(plainToolTip(tr("Caches and how tokens are chosen")));
    first_->layout()->addWidget(more_);
    connect(more_, &QToolButton::toggled, rest_, &QWidget::setVisible);
}

void PromptBar::addMoreFields() {
    caches_->setObjectName(QStringLiteral("cacheStorage"));
    caches_->addItem(tr("automatic"), int(CacheStorage::automatic));
    caches_->addItem(tr("of fixed size"), int(CacheStorage::fixed));
    caches_->addItem(tr("growing"), int(CacheStorage::growing));
    addField(rest_, tr("&Caches"), caches_,
             tr("Of fixed size: written where they lie. Growing: every run gives longer ones. "
                "Automatic: of fixed size where the model can."));
    capacity_ = addSpin(rest_, "cacheCapacity", tr("Capaci&ty"),
                        tr("Tokens that caches of fixed size have room for; as needed: as many as "
                           "the prompt and the new ones are"),
                        0, 1'000'000, 0);
    capacity_->setSpecialValueText(tr("as needed"));
    temperature_->setObjectName(QStringLiteral("temperature"));
    temperature_->setRange(0, 100);
    temperature_->setSingleStep(0.1);
    temperature_->setSpecialValueText(tr("most probable"));
    addField(rest_, tr("Temperature"), temperature_,
             tr("Logits are divided by it before a token is drawn; most probable: none is drawn"));
    topK_ = addSpin(rest_, "topK", tr("Top-&k"),
                    tr("Draw from so many of the most probable tokens"), 0, most_top, 0);
    topK_->setSpecialValueText(tr("all"));
    topP_->setObjectName(QStringLiteral("topP"));
    topP_->setRange(0.01, 1);
    topP_->setSingleStep(0.05);
    topP_->setValue(1);
    addField(rest_, tr("T&op-p"), topP_,
             tr("Draw from the most probable tokens that together have this probability"));
    seed_ = addSpin(rest_, "generateSeed", tr("See&d"), tr("The same seed draws the same tokens"),
                    0, std::numeric_limits<int>::max(), 0);
    stop_->setObjectName(QStringLiteral("stopTokens"));
    stop_->setPlaceholderText(tr("the model's own"));
    addField(rest_, tr("Stop toke&ns"), stop_,
             tr("Tokens that end the answer, as numbers. The model's own are those that files "
                "beside it or its tokenizer name."));
}

bool PromptBar::isText() const {
    return !generating_.tokenizer().empty() && kind_->currentIndex() == 0;
}

QString PromptBar::problem() const {
    if (isText() && prompt_->text().isEmpty()) return tr("The prompt needs a text.");
    if (!isText() && app::tokensFrom(prompt_->text()).empty())
        return tr("The prompt needs at least one token: numbers, with commas between them.");
    if (!areTokens(*stop_)) return tr("Stop tokens are numbers, with commas between them.");
    return {};
}

void PromptBar::publish() {
    app::GenerateChoice choice;
    if (isText()) choice.text = prompt_->text();
    else choice.prompt = app::tokensFrom(prompt_->text());
    choice.newTokens = newTokens_->value();
    choice.stopTokens = app::tokensFrom(stop_->text());
    choice.sampling.temperature = temperature_->value();
    choice.sampling.top_k = topK_->value();
    choice.sampling.top_p = topP_->value();
    choice.sampling.seed = std::uint64_t(seed_->value());
    choice.storage = CacheStorage(caches_->currentData().toInt());
    choice.capacity = capacity_->value();
    choice.both = who_->currentIndex() == 1;
    generating_.setChoice(choice);
}

void PromptBar::toggle() {
    if (generating_.isRunning()) return generating_.cancel();
    if (!problem().isEmpty()) return prompt_->setFocus();
    publish();
    generating_.start();
}

void PromptBar::refresh() {
    const bool running = generating_.isRunning();
    kind_->setVisible(!generating_.tokenizer().empty());
    const QString wrong = problem();
    problem_->setText(wrong);
    problem_->setVisible(!wrong.isEmpty());
    start_->setEnabled(running || wrong.isEmpty());
    start_->setText(running ? tr("&Stop") : tr("&Generate"));
    start_->setIcon(themedIcon(running ? QStringLiteral("cancel") : QStringLiteral("run")));
    start_->setToolTip(plainToolTip(running ? tr("Stop; the tokens so far are kept (Ctrl+Return)")
                                            : tr("Generate tokens and time them (Ctrl+Return)")));
    for (QWidget* field : {static_cast<QWidget*>(prompt_), static_cast<QWidget*>(newTokens_),
                           static_cast<QWidget*>(who_), static_cast<QWidget*>(kind_)})
        field->setEnabled(!running);
    rest_->setEnabled(!running);
}

}  // namespace lapidary::views

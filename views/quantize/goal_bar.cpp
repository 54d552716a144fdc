// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/goal_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include "models/rows_model.h"
#include "quantize/quantize_texts.h"
#include "widgets/flow_layout.h"
#include "widgets/choices/model_choices.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

constexpr double highest_floor = 120;  // dB; float32 itself is not more accurate
constexpr int longest_budget = 36'000;
constexpr int longest_entries = 4096;
constexpr double fewest_bits = 4, most_bits = 16, bits_step = 0.5;

/// As ONNX writes it.
QString typeName(DType type) {
    switch (type) {
    case DType::u8: return QStringLiteral("uint8");
    case DType::i4: return QStringLiteral("int4");
    case DType::u4: return QStringLiteral("uint4");
    default: return QStringLiteral("int8");
    }
}

/// "Gemm=s4, conv1=u8" as QuantizeOptions::weights_of has it.
std::vector<std::string> entriesOf(const QString& text) {
    std::vector<std::string> entries;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts))
        if (const QString entry = part.trimmed(); !entry.isEmpty())
            entries.push_back(entry.toStdString());
    return entries;
}

QString entriesText(const std::vector<std::string>& entries) {
    QStringList parts;
    for (const std::string& entry : entries) parts << exactText(entry);
    return parts.join(QStringLiteral(", "));
}

/// The factor from a floor's value to the shown one: percent for shares.
double shownPer(AccuracyFloor::Measure measure) {
    return measure == AccuracyFloor::Measure::sqnr ? 1 : 100;
}

AccuracyFloor usualFloor(AccuracyFloor::Measure measure) {
    constexpr double few_answers = 0.005;
    return measure == AccuracyFloor::Measure::sqnr ? AccuracyFloor()
                                                   : AccuracyFloor{measure, few_answers};
}

}  // namespace

GoalBar::GoalBar(app::Quantizing& quantizing, QWidget* parent)
    : QWidget(parent), quantizing_(quantizing), method_(new QComboBox), goal_(new QComboBox),
      floorOf_(new QComboBox), floor_(new QDoubleSpinBox), budget_(new QSpinBox),
      weights_(new QComboBox), weightsOf_(new QLineEdit),
      reduced_(new QCheckBox(tr("safe without &VNNI"))), bitsPerWeight_(new QDoubleSpinBox),
      rotated_(new QCheckBox(tr("rotated"))), smoothed_(new QCheckBox(tr("smoothed"))),
      fitted_(new QCheckBox(tr("fitted blocks"))), compensated_(new QCheckBox(tr("compensated"))) {
    setObjectName(QStringLiteral("goalBar"));
    fillChoices();
    auto* flow = new FlowLayout(this, 14, 4);
    flow->setContentsMargins(12, 6, 8, 2);
    const auto field = [flow](const QString& label, QWidget* editor, const char* name,
                              const QString& tip) {
        auto* pair = new QWidget;
        auto* row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(5);
        auto* text = new QLabel(label);
        text->setBuddy(editor);
        editor->setObjectName(QLatin1String(name));
        QString plain = label;
        editor->setAccessibleName(plain.remove(u'&'));
        editor->setToolTip(plainToolTip(tip));
        row->addWidget(text);
        row->addWidget(editor);
        flow->addWidget(pair);
    };
    field(tr("&Bits"), method_, "quantizeMethod", tr("What becomes integers"));
    field(tr("&Weights"), weights_, "quantizeWeights",
          tr("How static recipes store weights; with 4 bits products run in float32"));
    weightsOf_->setPlaceholderText(QStringLiteral("Gemm=s4, conv1=u8"));
    weightsOf_->setClearButtonEnabled(true);
    keepAcrossModels(*weightsOf_);
    weightsOf_->setMaxLength(longest_entries);
    weightsOf_->setMinimumWidth(fontMetrics().averageCharWidth() * 20);
    field(tr("Own t&ypes"), weightsOf_, "quantizeWeightsOf",
          tr("Nodes or operators whose weights have a type of their own, as NAME=s8, u8, s4 or u4 "
             "with commas between; "
             "* stands for any characters"));
    field(tr("&Goal"), goal_, "quantizeGoal",
          tr("Which of the recipes that were tried is the best"));
    field(tr("Floor o&f"), floorOf_, "quantizeFloorOf",
          tr("What bounds the fastest and the smallest: how little noise, or how few answers that "
             "change"));
    field(tr("F&loor"), floor_, "quantizeFloor",
          tr("What the fastest and the smallest have to reach. SQNR, at least: 20 dB is visible, "
             "30 good, 40 very "
             "good. Changed answers, at most: of the positions of the largest element"));
    field(tr("&Time"), budget_, "quantizeBudget",
          tr("Seconds after which no further recipe is begun"));
    flow->addWidget(reduced_);
    blockTips_[bitsPerWeight_] =
        tr("Bits that a weight takes on average at most, scales and zero points included: each "
           "weight gets the bits (4 or 8) and the block that pay most for the outputs");
    field(tr("Bits a weight"), bitsPerWeight_, "quantizeBitsPerWeight", blockTips_[bitsPerWeight_]);
    for (QCheckBox* box : {rotated_, smoothed_, fitted_, compensated_}) flow->addWidget(box);
    describeBlocks();

    connectChoices();
    refresh();
}

void GoalBar::fillChoices() {
    using enum app::QuantizeMethod;
    for (const app::QuantizeMethod method : {automatic, static8, qoperator8, dynamic8, weights8,
                                             weights4, float16, bfloat16, float8}) {
        method_->addItem(nameOf(method), int(method));
        method_->setItemData(method_->count() - 1, plainToolTip(tipOf(method)), Qt::ToolTipRole);
    }
    for (const app::QuantizeGoal goal :
         {app::QuantizeGoal::accurate, app::QuantizeGoal::fast, app::QuantizeGoal::small}) {
        goal_->addItem(nameOf(goal), int(goal));
        goal_->setItemData(goal_->count() - 1, plainToolTip(tipOf(goal)), Qt::ToolTipRole);
    }
    for (const DType type : {DType::i8, DType::u8, DType::i4, DType::u4})
        weights_->addItem(typeName(type), int(type));
    floorOf_->addItem(tr("SQNR"), int(AccuracyFloor::Measure::sqnr));
    floorOf_->addItem(tr("changed answers"), int(AccuracyFloor::Measure::flips));
    budget_->setRange(0, longest_budget);
    budget_->setSingleStep(30);
    budget_->setSuffix(tr(" s"));
    budget_->setSpecialValueText(tr("all recipes"));
    reduced_->setObjectName(QStringLiteral("quantizeReduced"));
    reduced_->setToolTip(
        plainToolTip(tr("Weights of 7 bits: x86 CPUs without VNNI add pairs of 8-bit products in "
                        "16 bits, which may overflow")));
}

void GoalBar::describeBlocks() {
    // the least value stands for none
    bitsPerWeight_->setRange(fewest_bits - bits_step, most_bits);
    bitsPerWeight_->setSingleStep(bits_step);
    bitsPerWeight_->setDecimals(2);
    bitsPerWeight_->setSpecialValueText(tr("no bound"));
    rotated_->setObjectName(QStringLiteral("quantizeRotated"));
    blockTips_[rotated_] = tr(
        "Spread large channels of a decoder's residual stream over all by a Hadamard matrix with "
        "random signs, which the weights on both sides take up");
    smoothed_->setObjectName(QStringLiteral("quantizeSmoothed"));
    blockTips_[smoothed_] =
        tr("Rows of weights that meet large inputs become larger, and inputs smaller, in the "
           "normalization or product in front (AWQ)");
    fitted_->setObjectName(QStringLiteral("quantizeFitted"));
    blockTips_[fitted_] =
        tr("Search the scale and zero point of each block for the least error, weighted by the "
           "inputs that samples show");
    compensated_->setObjectName(QStringLiteral("quantizeCompensated"));
    blockTips_[compensated_] =
        tr("Let weights make up for the rounding of others (as GPTQ does); needs time");
}

QList<QWidget*> GoalBar::blockChoices() const {
    return {bitsPerWeight_, rotated_, smoothed_, fitted_, compensated_};
}

void GoalBar::connectChoices() {
    connect(method_, &QComboBox::activated, this, &GoalBar::apply);
    connect(weights_, &QComboBox::activated, this, &GoalBar::apply);
    connect(weightsOf_, &QLineEdit::editingFinished, this, &GoalBar::apply);
    connect(goal_, &QComboBox::activated, this, &GoalBar::apply);
    connect(floorOf_, &QComboBox::activated, this, &GoalBar::apply);
    connect(floor_, &QDoubleSpinBox::valueChanged, this, &GoalBar::apply);
    connect(budget_, &QSpinBox::valueChanged, this, &GoalBar::apply);
    for (QCheckBox* box : {reduced_, rotated_, smoothed_, fitted_, compensated_})
        connect(box, &QCheckBox::toggled, this, &GoalBar::apply);
    connect(bitsPerWeight_, &QDoubleSpinBox::valueChanged, this, &GoalBar::apply);
    connect(&quantizing_, &app::Quantizing::choiceChanged, this, &GoalBar::refresh);
    connect(&quantizing_, &app::Quantizing::changed, this,
            [this] { setEnabled(!quantizing_.isRunning()); });
}

void GoalBar::apply() {
    app::QuantizeChoice choice = quantizing_.choice();
    choice.method = app::QuantizeMethod(method_->currentData().toInt());
    choice.weights = DType(weights_->currentData().toInt());
    choice.weightsOf = entriesOf(weightsOf_->text());
    choice.goal = app::QuantizeGoal(goal_->currentData().toInt());
    const auto measure = AccuracyFloor::Measure(floorOf_->currentData().toInt());
    if (measure != choice.floor.measure) choice.floor = usualFloor(measure);
    else choice.floor.bound = floor_->value() / shownPer(measure);
    choice.budgetSeconds = budget_->value();
    choice.reducedRange = reduced_->isChecked();
    const double bits = bitsPerWeight_->value();
    choice.bitsPerWeight = bits < fewest_bits ? 0 : bits;
    choice.rotates = rotated_->isChecked();
    choice.smooths = smoothed_->isChecked();
    choice.fitsBlocks = fitted_->isChecked();
    choice.compensates = compensated_->isChecked();
    quantizing_.setChoice(choice);
}

void GoalBar::refresh() {
    const app::QuantizeChoice& choice = quantizing_.choice();
    const QSignalBlocker quiet[]{
        QSignalBlocker(method_),   QSignalBlocker(goal_),          QSignalBlocker(floor_),
        QSignalBlocker(floorOf_),  QSignalBlocker(budget_),        QSignalBlocker(weights_),
        QSignalBlocker(reduced_),  QSignalBlocker(bitsPerWeight_), QSignalBlocker(rotated_),
        QSignalBlocker(smoothed_), QSignalBlocker(fitted_),        QSignalBlocker(compensated_)};
    method_->setCurrentIndex(method_->findData(int(choice.method)));
    goal_->setCurrentIndex(goal_->findData(int(choice.goal)));
    weights_->setCurrentIndex(weights_->findData(int(choice.weights)));
    weights_->setEnabled(choice.options().mode == QuantizeMode::static_qdq);
    if (entriesOf(weightsOf_->text()) != choice.weightsOf)
        weightsOf_->setText(entriesText(choice.weightsOf));
    weightsOf_->setEnabled(choice.takesOwnTypes());
    const bool isSqnr = choice.floor.measure == AccuracyFloor::Measure::sqnr;
    floorOf_->setCurrentIndex(floorOf_->findData(int(choice.floor.measure)));
    floorOf_->setEnabled(choice.goal != app::QuantizeGoal::accurate);
    floor_->setRange(0, isSqnr ? highest_floor : 100);
    floor_->setDecimals(isSqnr ? 0 : 1);
    floor_->setSingleStep(isSqnr ? 5 : 0.5);
    floor_->setSuffix(isSqnr ? tr(" dB") : tr(" %"));
    floor_->setValue(choice.floor.bound * shownPer(choice.floor.measure));
    floor_->setEnabled(choice.goal != app::QuantizeGoal::accurate);
    budget_->setValue(int(choice.budgetSeconds));
    reduced_->setChecked(choice.reducedRange);
    bitsPerWeight_->setValue(choice.bitsPerWeight);
    rotated_->setChecked(choice.rotates);
    smoothed_->setChecked(choice.smooths);
    fitted_->setChecked(choice.fitsBlocks);
    compensated_->setChecked(choice.compensates);
    for (QWidget* widget : blockChoices()) {
        widget->setEnabled(choice.hasBlocks());
        widget->setToolTip(plainToolTip(choice.hasBlocks()
                                            ? blockTips_.value(widget)
                                            : tr("%1\nOnly for %2 and %3: see the field Bits.")
                                                  .arg(blockTips_.value(widget),
                                                       nameOf(app::QuantizeMethod::weights8),
                                                       nameOf(app::QuantizeMethod::weights4))));
    }
}

}  // namespace lapidary::views

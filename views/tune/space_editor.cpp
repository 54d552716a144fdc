// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/space_editor.h"

#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "tune/choice_chips.h"
#include "tune/tune_figures.h"
#include "widgets/flow_layout.h"
#include "widgets/text/quantity.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

constexpr qint64 most_threads = 256, most_batch = 65'536;
constexpr std::size_t most_cells = 4096;

template <typename To, typename From>
std::vector<To> as(const std::vector<From>& from) {
    std::vector<To> to;
    for (const From& value : from) to.push_back(static_cast<To>(value));
    return to;
}

}  // namespace

SpaceEditor::SpaceEditor(app::Tuning& tuning, QWidget* parent)
    : QWidget(parent), tuning_(tuning), goal_(new QComboBox), more_(new QToolButton),
      rest_(new QWidget), count_(new QLabel) {
    setObjectName(QStringLiteral("tuneSpace"));
    auto* first = new QWidget;
    new FlowLayout(first);
    new FlowLayout(rest_);

    threads_ = addChips(first, "threads", tr("Threads"),
                        tr("Threads that share one operator (intra-op)"), int(TuneAxis::threads));
    threads_->allowTyping(1, most_threads);
    threads_->setWarning([this](qint64 threads) {
        const qint64 cores = tuning_.threadChoices().back();
        return threads > cores ? tr("More than this machine's %1 cores").arg(cores) : QString();
    });
    batches_ = addChips(first, "batch", tr("Batch"), tr("Samples that one run takes"),
                        int(TuneAxis::batch));
    batches_->allowTyping(1, most_batch);
    batches_->setOffered({0, 1, 2, 4, 8});

    levels_ = addChips(first, "levels", tr("Level"), tr("Optimization level of the model"),
                       int(TuneAxis::level));
    levels_->setOffered({0, 1, 2, 3});

    goal_->setObjectName(QStringLiteral("tuneGoal"));
    goal_->addItem(tr("Lowest latency"));
    goal_->addItem(tr("Highest throughput"));
    goal_->setAccessibleName(tr("Goal"));
    goal_->setToolTip(plainToolTip(tr(
        "What the recommendation is after: the shortest run, or the most inferences per second")));
    auto* goal = new QWidget;
    auto* goalRow = new QHBoxLayout(goal);
    goalRow->setContentsMargins(0, 0, 0, 0);
    goalRow->setSpacing(6);
    auto* goalLabel = new QLabel(tr("&Goal"));
    goalLabel->setBuddy(goal_);
    goalRow->addWidget(goalLabel);
    goalRow->addWidget(goal_);
    first->layout()->addWidget(goal);
    cap_ = addSpin(first, "latencyCap", tr("Latency &cap"),
                   tr("Settings whose median is above it are not recommended"), tr(" ms"),
                   tr("none"), 1e6);
    more_->setObjectName(QStringLiteral("moreSettings"));
    more_->setCheckable(true);
    more_->setText(tr("More …"));
    more_->setToolTip(
        plainToolTip(tr("Execution mode, inter-op threads, spinning, measuring time")));
    first->layout()->addWidget(more_);

    addMoreSettings();
    rest_->setVisible(false);

    count_->setObjectName(QStringLiteral("tuneCount"));
    count_->setForegroundRole(QPalette::PlaceholderText);
    first->layout()->addWidget(count_);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 4);
    column->setSpacing(6);
    column->addWidget(first);
    column->addWidget(rest_);

    for (ChoiceChips* chips : {threads_, batches_, inter_, modes_, spinning_, levels_}) {
        connect(chips, &ChoiceChips::changed, this, &SpaceEditor::publishSpace);
        connect(chips, &ChoiceChips::refused, this, &SpaceEditor::refused);
    }
    connect(goal_, &QComboBox::activated, this, &SpaceEditor::publishOptions);
    for (QDoubleSpinBox* spin : {cap_, seconds_, budget_})
        connect(spin, &QDoubleSpinBox::valueChanged, this, &SpaceEditor::publishOptions);
    connect(more_, &QToolButton::toggled, rest_, &QWidget::setVisible);
    connect(&tuning_, &app::Tuning::changed, this, &SpaceEditor::refresh);
    refresh();
}

void SpaceEditor::addMoreSettings() {
    modes_ = addChips(rest_, "modes", tr("Execution"),
                      tr("sequential: one node at a time with all threads; parallel: branches of "
                         "the graph at the same time"),
                      int(TuneAxis::mode));
    modes_->setOffered({0, 1});
    inter_ = addChips(rest_, "inter", tr("Inter-op"), tr("Nodes at a time in parallel execution"),
                      int(TuneAxis::inter));
    inter_->allowTyping(1, most_threads);
    spinning_ = addChips(
        rest_, "spinning", tr("Spinning"),
        tr("on: threads wait for work busily, which starts operators sooner and takes CPU time"),
        int(TuneAxis::spinning));
    spinning_->setOffered({0, 1});
    seconds_ = addSpin(
        rest_, "cellSeconds", tr("&Seconds per setting"),
        tr("Measuring one setting ends when its interval is within ±2 %, or after this time"),
        tr(" s"), {}, 600);
    seconds_->setMinimum(0.1);
    budget_ = addSpin(rest_, "budget", tr("&Budget"),
                      tr("Time for everything; settings that do not fit are left out"), tr(" s"),
                      tr("none"), 1e6);
}

ChoiceChips* SpaceEditor::addChips(QWidget* box, const char* name, const QString& label,
                                   const QString& tip, int axis) {
    auto* chips = new ChoiceChips(
        label, tip, [axis](qint64 value) { return placeText(TuneAxis(axis), value); });
    chips->setObjectName(QLatin1String(name));
    box->layout()->addWidget(chips);
    return chips;
}

QDoubleSpinBox* SpaceEditor::addSpin(QWidget* box, const char* name, const QString& label,
                                     const QString& tip, const QString& unit, const QString& none,
                                     double most) {
    auto* spin = new QDoubleSpinBox;
    spin->setObjectName(QLatin1String(name));
    spin->setRange(0, most);
    spin->setDecimals(1);
    spin->setSuffix(unit);
    spin->setSpecialValueText(none);
    spin->setKeyboardTracking(false);
    spin->setToolTip(plainToolTip(tip));
    spin->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    QString plain = label;
    spin->setAccessibleName(plain.remove(u'&'));
    spin->setAccessibleDescription(tip);
    auto* field = new QWidget;
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto* text = new QLabel(label);
    text->setBuddy(spin);
    text->setToolTip(plainToolTip(tip));
    row->addWidget(text);
    row->addWidget(spin);
    box->layout()->addWidget(field);
    return spin;
}

/// Those of the machine on which it measures.
void SpaceEditor::offerThreads() {
    const std::vector<qint64> offered = as<qint64>(tuning_.threadChoices());
    if (offered == offered_) return;
    offered_ = offered;
    threads_->setOffered(offered);
    inter_->setOffered(offered);
}

void SpaceEditor::publishSpace() {
    if (refreshing_) return;
    SweepSpace space;
    space.intra = as<int>(threads_->checked());
    space.batches = as<std::int64_t>(batches_->checked());
    space.inter = as<int>(inter_->checked());
    space.modes = as<ExecutionMode>(modes_->checked());
    space.levels = as<Level>(levels_->checked());
    space.spinning.clear();
    for (const qint64 off : spinning_->checked()) space.spinning.push_back(off == 0);
    if (const std::size_t cells = configurations(space).size(); cells > most_cells) {
        emit refused(tr("These are %1 settings; at most %2 can be measured at once.")
                         .arg(formatCount(qint64(cells)), formatCount(most_cells)));
        refresh();
        return;
    }
    tuning_.setSpace(space);
}

void SpaceEditor::publishOptions() {
    if (refreshing_) return;
    SweepOptions options = tuning_.options();
    options.goal = goal_->currentIndex() == 0 ? SweepGoal::latency : SweepGoal::throughput;
    options.latency_cap_ms = cap_->value();
    options.measuring.seconds = seconds_->value();
    options.budget_seconds = budget_->value();
    tuning_.setOptions(options);
}

bool SpaceEditor::isUsual() const {
    const SweepSpace usual, &space = tuning_.space();
    return space.modes == usual.modes && space.spinning == usual.spinning &&
           tuning_.options().budget_seconds == 0 &&
           tuning_.options().measuring.seconds == SweepOptions().measuring.seconds;
}

void SpaceEditor::refresh() {
    const QScopedValueRollback guard(refreshing_, true);
    const SweepSpace& space = tuning_.space();
    const SweepOptions& options = tuning_.options();
    offerThreads();
    threads_->setChecked(as<qint64>(space.intra));
    batches_->setChecked(as<qint64>(space.batches));
    inter_->setChecked(as<qint64>(space.inter));
    modes_->setChecked(as<qint64>(space.modes));
    levels_->setChecked(as<qint64>(space.levels));
    std::vector<qint64> off;
    for (const bool on : space.spinning) off.push_back(on ? 0 : 1);
    spinning_->setChecked(off);
    const QString refusal = tuning_.batchRefusal();
    batches_->refuse(
        refusal.isEmpty() ? QString() : tr("Only the batch as given: %1.").arg(refusal), 0);
    const bool parallel =
        std::ranges::find(space.modes, ExecutionMode::parallel) != space.modes.end();
    inter_->refuse(parallel ? QString() : tr("Inter-op threads need parallel execution."), 1);
    goal_->setCurrentIndex(options.goal == SweepGoal::latency ? 0 : 1);
    cap_->setValue(options.latency_cap_ms);
    seconds_->setValue(options.measuring.seconds);
    budget_->setValue(options.budget_seconds);
    if (!isUsual()) more_->setChecked(true);
    const auto result = tuning_.result();
    setEnabled(result != nullptr);
    if (!result) {
        count_->clear();
        return;
    }
    const auto cells = qint64(result->cells.size());
    const auto open = std::ranges::count(result->cells, CellState::waiting, &SweepCell::state);
    const QString number = cells == 1 ? tr("1 setting") : tr("%1 settings").arg(formatCount(cells));
    count_->setText(
        open == 0 ? number
        : open == cells
            ? tr("%1, %2").arg(number, aboutSeconds(tuning_.secondsOfTheRest()))
            : tr("%1, %2 left: %3")
                  .arg(number, formatCount(open), aboutSeconds(tuning_.secondsOfTheRest())));
}

}  // namespace lapidary::views

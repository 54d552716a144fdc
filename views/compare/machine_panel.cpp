// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/machine_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "theme/theme.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/machine_button.h"
#include "widgets/flow_layout.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/document/run_conditions.h"
#include "workbench/targets/machine_comparison.h"
#include "workbench/targets/machines.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/recipe.h"

namespace lapidary::views {
namespace {

constexpr double bytes_per_mb = 1e6;

const Column<MachineFigure> machine_figure_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Figure"),
     [](const MachineFigure& f) -> QVariant { return f.name; }},
    {QT_TRANSLATE_NOOP("Columns", "A"), [](const MachineFigure& f) -> QVariant { return f.a; }},
    {QT_TRANSLATE_NOOP("Columns", "B"), [](const MachineFigure& f) -> QVariant { return f.b; }},
};

/// A row of both sides; what one of them does not know is a dash.
template <typename Text>
MachineFigure figureOfBoth(const QString& name, const app::MachinePair& pair, Text text) {
    const auto cell = [&](const app::MachineSide& side) {
        const QString known = text(side);
        return known.isEmpty() ? QStringLiteral("–") : known;
    };
    return {name, cell(pair.sides[0]), cell(pair.sides[1])};
}

template <typename Text>
MachineFigure measuredOfBoth(const QString& name, const app::MachinePair& pair, Text text) {
    return figureOfBoth(name, pair, [&](const app::MachineSide& side) {
        return side.measured ? text(*side.measured) : QString();
    });
}

std::vector<MachineFigure> figuresOf(const app::MachinePair& pair) {
    using Side = app::MachineSide;
    const auto count = [](int n) { return n > 0 ? formatCount(n) : QString(); };
    return {
        measuredOfBoth(MachinePanel::tr("Median time of a run"), pair,
                       [](const Measurement& m) {
                           return formatMedian(m.wall.median.median, m.wall.median.low,
                                               m.wall.median.high);
                       }),
        measuredOfBoth(MachinePanel::tr("Runs per second"), pair,
                       [](const Measurement& m) { return QString::number(m.per_second, 'g', 4); }),
        measuredOfBoth(MachinePanel::tr("CPU time of a run"), pair,
                       [](const Measurement& m) { return formatMilliseconds(m.cpu_ms.median); }),
        measuredOfBoth(MachinePanel::tr("First run"), pair,
                       [](const Measurement& m) {
                           return m.first_ms > 0 ? formatMilliseconds(m.first_ms) : QString();
                       }),
        measuredOfBoth(MachinePanel::tr("Load time"), pair,
                       [](const Measurement& m) {
                           return m.load_ms > 0 ? formatMilliseconds(m.load_ms) : QString();
                       }),
        measuredOfBoth(MachinePanel::tr("Memory of a process"), pair,
                       [](const Measurement& m) {
                           return m.peak_mb ? formatBytes(std::uint64_t(*m.peak_mb * bytes_per_mb))
                                            : QString();
                       }),
        measuredOfBoth(
            MachinePanel::tr("Measured runs"), pair,
            [](const Measurement& m) { return formatCount(std::int64_t(m.wall.median.samples)); }),
        figureOfBoth(MachinePanel::tr("Threads"), pair,
                     [](const Side& side) {
                         return side.failure.isEmpty() ? formatCount(side.threads) : QString();
                     }),
        figureOfBoth(MachinePanel::tr("Cores"), pair,
                     [&](const Side& side) { return count(side.cores); }),
        figureOfBoth(MachinePanel::tr("Processor"), pair,
                     [](const Side& side) { return side.cpu; }),
    };
}

/// Why it did not measure, with its name in front where the reason does not begin with it.
QString failureOf(const app::MachineSide& side) {
    const QString withoutFolder = side.host.section(u':', 0, 0);
    return !side.host.isEmpty() && side.failure.startsWith(withoutFolder)
               ? side.failure
               : QStringLiteral("%1: %2").arg(machineName(side.host), side.failure);
}

}  // namespace

MachineFigures::MachineFigures() : RowsModel(machine_figure_columns) {}

void MachineFigures::nameMachines(const QString& first, const QString& second) {
    if (first == first_ && second == second_) return;
    first_ = first;
    second_ = second;
    emit headerDataChanged(Qt::Horizontal, 1, 2);
}

QVariant MachineFigures::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole && (section == 1 || section == 2))
        return section == 1 ? first_ : second_;
    return RowsModel::headerData(section, orientation, role);
}

MachinePanel::MachinePanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), a_(new QComboBox), b_(new QComboBox),
      start_(new QPushButton(themedIcon(QStringLiteral("run")), tr("Compare machines"))),
      targets_(new QPushButton(tr("Targets …"))), verdict_(new QLabel), sides_(new QLabel),
      banner_(new MessageBanner), table_(new TableView(tr("Two machines side by side"))) {
    setObjectName(QStringLiteral("machinePanel"));
    setProperty("helpPage", QStringLiteral("targets"));
    a_->setObjectName(QStringLiteral("machineA"));
    a_->setAccessibleName(tr("First machine"));
    b_->setObjectName(QStringLiteral("machineB"));
    b_->setAccessibleName(tr("Second machine"));
    for (QComboBox* box : {a_, b_}) {
        box->setToolTip(
            tr("A machine that measures the variant in force: this computer or a target"));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(18);
        connect(box, &QComboBox::currentIndexChanged, this, &MachinePanel::refresh);
    }
    start_->setObjectName(QStringLiteral("compareMachines"));
    start_->setToolTip(
        tr("Measure the variant in force on the first machine, then on the second, "
           "under the run settings"));
    targets_->setObjectName(QStringLiteral("targetsOfCompare"));
    targets_->setToolTip(tr("The list of other machines: add one, test it, see what it is"));
    putTogether();
    app::Machines& machines = workbench_.machines();
    app::MachineComparison& comparison = workbench_.machineComparison();
    connect(start_, &QPushButton::clicked, this, &MachinePanel::start);
    connect(targets_, &QPushButton::clicked, &machines, &app::Machines::listWanted);
    connect(banner_, &MessageBanner::cancelRequested, &comparison, &app::MachineComparison::cancel);
    connect(b_, &QComboBox::activated, this, [this] { isChosenByHand_ = true; });
    connect(&machines, &app::Machines::changed, this, &MachinePanel::offerMachines);
    connect(&machines, &app::Machines::chosenChanged, this, &MachinePanel::offerMachines);
    connect(&comparison, &app::MachineComparison::changed, this, &MachinePanel::refresh);
    connect(&workbench_, &app::Workbench::documentChanged, this, &MachinePanel::refresh);
    connect(&workbench_.variants(), &app::VariantStore::listChanged, this, &MachinePanel::refresh);
    offerMachines();
}

void MachinePanel::putTogether() {
    // Lines break where the panel is narrow: it asks for no more width than its widest control.
    auto* tools = new QWidget;
    auto* bar = new FlowLayout(tools, spacing, 4);
    bar->setContentsMargins(spacing, 4, spacing, 4);
    const auto add = [bar](const QString& label, QComboBox* box) {
        auto* pair = new QWidget;
        auto* row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(spacing);
        row->addWidget(new QLabel(label));
        row->addWidget(box);
        bar->addWidget(pair);
    };
    add(tr("First machine"), a_);
    add(tr("Second machine"), b_);
    bar->addWidget(start_);
    bar->addWidget(targets_);
    verdict_->setObjectName(QStringLiteral("machineVerdict"));
    verdict_->setAccessibleName(tr("Verdict"));
    verdict_->setFont(scaledFont(1.1, true));
    sides_->setObjectName(QStringLiteral("machineSides"));
    sides_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {verdict_, sides_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(spacing, 2, spacing, 4);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    table_->setObjectName(QStringLiteral("machineFigures"));
    table_->setModel(&rows_);
    const int unit = table_->fontMetrics().averageCharWidth();
    int column = 0;
    for (const int width : {26, 34, 34}) table_->header()->resizeSection(column++, width * unit);
    showWholeTitles(*table_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(banner_);
    layout->addWidget(verdict_);
    layout->addWidget(sides_);
    layout->addWidget(table_, 1);
    banner_->hide();
}

/// Keeps what is chosen; else this computer is the first machine, and the second is the target
/// on which the model runs, or the first of the list.
void MachinePanel::offerMachines() {
    QStringList hosts{QString()};
    for (const app::KnownTarget& target : workbench_.machines().targets()) hosts << target.host;
    const QString inForce = workbench_.machines().chosen();
    for (QComboBox* box : {a_, b_}) {
        const QSignalBlocker quiet(box);
        const bool isFirstFound = box->count() < 2 && hosts.size() > 1;
        const QString kept = box->currentData().toString();
        box->clear();
        for (const QString& host : hosts) box->addItem(machineName(host), host);
        int line = box->findData(kept);
        if (box == b_ && isFirstFound) line = 1;
        if (box == b_ && !isChosenByHand_ && !inForce.isEmpty()) line = box->findData(inForce);
        box->setCurrentIndex(std::max(0, line));
    }
    refresh();
}

void MachinePanel::start() {
    banner_->hide();
    if (!workbench_.runningVariant()) workbench_.requestRunning();
    workbench_.machineComparison().start(a_->currentData().toString(),
                                         b_->currentData().toString());
}

void MachinePanel::refresh() {
    const app::MachineComparison& comparison = workbench_.machineComparison();
    start_->setEnabled(workbench_.runningVariant() && !comparison.isRunning() &&
                       a_->currentData() != b_->currentData());
    showProgress();
    const app::MachinePairPtr pair = comparison.result();
    verdict_->setVisible(pair != nullptr);
    sides_->setVisible(pair != nullptr);
    if (pair) return showPair(*pair);
    rows_.nameMachines(a_->currentText(), b_->currentText());
    rows_.setRows(std::vector<MachineFigure>());
    verdict_->clear();
    sides_->clear();
    table_->setEmptyText(
        b_->count() < 2
            ? tr("No target is listed yet. Press Targets … to add another computer that ssh "
                 "reaches.")
        : !workbench_.opened()
            ? tr("Choose two machines and press Compare machines: the variant in force is measured "
                 "on one, then on the other.")
            : tr("Choose two machines and press Compare machines: the variant in force (%1) is "
                 "measured on one, then on the other.")
                  .arg(labelText(app::runNameOf(workbench_.recipeInForce()))));
}

void MachinePanel::showProgress() {
    const app::Job* job = workbench_.machineComparison().job();
    if (!job) {
        if (banner_->kind() == MessageBanner::Kind::busy) banner_->hide();
        return;
    }
    const auto report = [this, job] {
        if (workbench_.machineComparison().job() != job) return;
        banner_->showMessage(MessageBanner::Kind::busy, tr("Comparing machines …"),
                             stageText(*job));
        banner_->setFraction(job->fraction());
    };
    if (banner_->isHidden() || banner_->kind() != MessageBanner::Kind::busy)
        connect(job, &app::Job::progressed, banner_, report);
    report();
}

/// What is done on which of both machines.
QString MachinePanel::stageText(const app::Job& job) const {
    const QString stage = labelText(job.stage());
    const app::MachinePairPtr pair = workbench_.machineComparison().result();
    if (!pair) return stage;
    const app::MachineSide& first = pair->sides[0];
    const bool isSecond = first.measured || !first.failure.isEmpty();
    return QStringLiteral("%1: %2").arg(machineName(pair->sides[isSecond ? 1 : 0].host), stage);
}

QString MachinePanel::sentenceOf(const app::MachinePair& pair) const {
    if (!pair.difference) return {};
    const MedianEstimate& ratio = pair.difference->ratio;
    const auto name = [](const app::MachineSide& side) {
        return side.host.isEmpty() ? tr("this computer") : machineName(side.host);
    };
    const auto times = [](double value) { return QString::number(value, 'f', value < 10 ? 2 : 1); };
    if (!pair.difference->significant)
        return tr("%1: no difference beyond noise between %2 and %3.")
            .arg(labelText(pair.variant->name), name(pair.sides[0]), name(pair.sides[1]));
    const bool isFaster = ratio.median < 1;
    const app::MachineSide &quick = pair.sides[isFaster ? 1 : 0],
                           &slow = pair.sides[isFaster ? 0 : 1];
    return tr("%1: %2 is %3 times as fast as %4.")
        .arg(labelText(pair.variant->name), name(quick),
             times(isFaster ? 1 / ratio.median : ratio.median), name(slow));
}

void MachinePanel::showPair(const app::MachinePair& pair) {
    rows_.setRows(figuresOf(pair));
    rows_.nameMachines(machineName(pair.sides[0].host), machineName(pair.sides[1].host));
    const QString sentence = sentenceOf(pair);
    verdict_->setText(sentenceText(sentence));
    verdict_->setVisible(!sentence.isEmpty());
    QStringList failures;
    for (const app::MachineSide& side : pair.sides)
        if (!side.failure.isEmpty()) failures << failureOf(side);
    sides_->setText(sentenceText(tr("Measured with %1, one machine after the other.")
                                     .arg(app::inputsText(pair.sizes, pair.settings.given))));
    sides_->setVisible(failures.isEmpty());
    if (workbench_.machineComparison().isRunning()) return;
    const bool isNew = std::exchange(reported_, workbench_.machineComparison().result()) !=
                       workbench_.machineComparison().result();
    if (failures.isEmpty() || !isNew) return;
    const QString reasons = sentenceText(failures.join(u'\n'));
    banner_->showMessage(MessageBanner::Kind::error, tr("A machine could not measure"), reasons,
                         reasons);
    banner_->addAction(QStringLiteral("run"), tr("Retry"), [this] { start(); });
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/engine_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QShowEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

#include <lapidary/base/error.h>

#include "compare/signed_text.h"
#include "theme/theme.h"
#include "widgets/cards/message_banner.h"
#include "widgets/flow_layout.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/jobs/plugin_list.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_named = 3;  // operators of a group

QString nameOfGroup(const ComparedGroup& group) {
    const QString name = cellText(group.name);
    if (group.nodes.size() < 2) return name;
    return EnginePanel::tr("%1 and %2 more")
        .arg(name, formatCount(std::int64_t(group.nodes.size() - 1)));
}

QString operatorsOf(const ComparedGroup& group) {
    QStringList names;
    for (std::size_t i = 0; i < std::min(group.ops.size(), most_named); ++i)
        names << cellText(group.ops[i]);
    if (group.ops.size() > most_named) names << QStringLiteral("…");
    return names.join(QStringLiteral(" + "));
}

QString timeOfSide(const std::optional<double>& ms) {
    return ms ? formatMilliseconds(*ms) : QStringLiteral("–");
}

QString boundText(double ms) {
    const QString sign = ms < 0 ? QStringLiteral("−") : ms > 0 ? QStringLiteral("+") : QString();
    return sign + formatMilliseconds(std::fabs(ms));
}

QString membersOf(const ComparedGroup& group) {
    if (group.nodes.size() < 2) return {};
    QStringList names;
    for (const std::string& name : group.node_names) names << labelText(name);
    return cellText(names.join(QStringLiteral(", ")).toStdString());
}

const Column<ComparedGroup> group_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Node"),
     [](const ComparedGroup& g) -> QVariant { return nameOfGroup(g); }},
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const ComparedGroup& g) -> QVariant { return operatorsOf(g); }},
    {QT_TRANSLATE_NOOP("Columns", "A"),
     [](const ComparedGroup& g) -> QVariant { return g.a_ms.value_or(0); },
     [](const ComparedGroup& g) { return timeOfSide(g.a_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "B"),
     [](const ComparedGroup& g) -> QVariant { return g.b_ms.value_or(0); },
     [](const ComparedGroup& g) { return timeOfSide(g.b_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const ComparedGroup& g) -> QVariant { return g.difference.median; },
     [](const ComparedGroup& g) { return signedMilliseconds(g.difference.median); }},
    {QT_TRANSLATE_NOOP("Columns", "95 % interval"),
     [](const ComparedGroup& g) -> QVariant { return g.difference.low; },
     [](const ComparedGroup& g) {
         return EnginePanel::tr("%1 to %2")
             .arg(boundText(g.difference.low), boundText(g.difference.high));
     },
     [](const ComparedGroup& g) {
         return g.is_shown ? EnginePanel::tr(
                                 "A difference: the intervals of all rows together leave out "
                                 "0 here.")
                           : EnginePanel::tr("No difference beyond noise.");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Verdict"),
     [](const ComparedGroup& g) -> QVariant {
         return !g.is_shown               ? QString()
                : g.difference.median > 0 ? EnginePanel::tr("B is slower")
                                          : EnginePanel::tr("B is faster");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Nodes"),
     [](const ComparedGroup& g) -> QVariant { return membersOf(g); }},
};

/// The node that a row is named after; none: it is no node of the model.
NodeId nodeOfGroup(const ComparedGroup& group) {
    for (std::size_t i = 0; i < std::min(group.nodes.size(), group.node_names.size()); ++i)
        if (group.node_names[i] == group.name) return group.nodes[i];
    return group.nodes.empty() ? NodeId() : group.nodes.front();
}

app::Recipe recipeOn(const app::RunsOn& on) {
    app::Recipe recipe = app::Recipe::plain(Level::all);
    recipe.runs_on = on;
    return recipe;
}

}  // namespace

EnginePanel::EnginePanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), a_(new QComboBox), b_(new QComboBox),
      start_(new QPushButton(themedIcon(QStringLiteral("run")), tr("Compare node by node"))),
      other_(new QPushButton(themedIcon(QStringLiteral("open")), tr("Another ONNX Runtime …"))),
      verdict_(new QLabel), sides_(new QLabel), banner_(new MessageBanner), rows_(group_columns),
      table_(new TableView(tr("Two engines by node"))) {
    setObjectName(QStringLiteral("enginePanel"));
    a_->setObjectName(QStringLiteral("engineA"));
    a_->setAccessibleName(tr("Engine A"));
    b_->setObjectName(QStringLiteral("engineB"));
    b_->setAccessibleName(tr("Engine B"));
    for (QComboBox* box : {a_, b_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(18);
    }
    start_->setObjectName(QStringLiteral("compareEngines"));
    start_->setToolTip(
        tr("Run the opened model in both engines in turn, recorded node by node, "
           "and name the nodes in which one is slower"));
    other_->setObjectName(QStringLiteral("otherOnnxRuntime"));
    other_->setToolTip(
        tr("Take another release: a library of ONNX Runtime, or a Python "
           "interpreter that has its package"));
    putTogether();
    connect(start_, &QPushButton::clicked, this, &EnginePanel::start);
    connect(other_, &QPushButton::clicked, this, &EnginePanel::chooseOther);
    connect(banner_, &MessageBanner::cancelRequested, this, [this] { job_.cancel(); });
    for (QComboBox* box : {a_, b_})
        connect(box, &QComboBox::currentIndexChanged, this, &EnginePanel::refresh);
    connect(table_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const NodeId node = nodeOfGroup(rows_.row(index.row()))) emit nodeActivated(node);
    });
    connect(&workbench_.plugins(), &app::PluginList::changed, this, &EnginePanel::offerEngines);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        job_.drop();
        banner_->hide();
        clear();
        refresh();
    });
    offerEngines();
    clear();
}

void EnginePanel::putTogether() {
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
    add(tr("Engine A"), a_);
    add(tr("Engine B"), b_);
    bar->addWidget(start_);
    bar->addWidget(other_);
    verdict_->setObjectName(QStringLiteral("engineVerdict"));
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setFont(scaledFont(1.1, true));
    verdict_->setWordWrap(true);
    verdict_->setContentsMargins(spacing, 2, spacing, 2);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    verdict_->setAccessibleName(tr("Verdict"));
    sides_->setObjectName(QStringLiteral("engineSides"));
    sides_->setTextFormat(Qt::PlainText);
    sides_->setWordWrap(true);
    sides_->setForegroundRole(QPalette::PlaceholderText);
    sides_->setContentsMargins(spacing, 2, spacing, 4);
    table_->setObjectName(QStringLiteral("engineTimes"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);  // as given: the largest difference first
    table_->setTextElideMode(Qt::ElideMiddle);
    const int unit = table_->fontMetrics().averageCharWidth();
    int column = 0;
    for (const int width : {30, 30, 12, 12, 15, 26, 14, 40})
        table_->header()->resizeSection(column++, width * unit);
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

void EnginePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    workbench_.plugins().lookOnce();
}

/// Copies of ONNX Runtime first, then engines of plugins.
std::vector<EnginePanel::Choice> EnginePanel::foundEngines() const {
    std::vector<Choice> engines;
    const app::FoundPluginsPtr found = workbench_.plugins().found();
    if (!found) return engines;
    for (std::size_t i = 0; i < found->engines.size(); ++i) {
        const OnnxRuntimeInfo& engine = found->engines[i];
        if (!engine.unusable.empty()) continue;
        app::RunsOn on;
        on.onnxruntime = true;
        if (i > 0) on.place = engine.path;  // the first is what is found without a place
        engines.push_back(
            {QStringLiteral("ONNX Runtime ") + labelText(engine.version), recipeOn(on)});
    }
    for (const app::PluginProbe& probe : found->plugins) {
        if (!probe.info || probe.info->engine.empty() || !probe.info->engine_unusable.empty())
            continue;
        if (workbench_.plugins().isOff(exactText(probe.file.string()))) continue;
        app::RunsOn on;
        on.plugin_engine = app::ProviderChoice{probe.info->engine, {}};
        engines.push_back(
            {labelText(probe.info->engine) + u' ' + labelText(probe.info->engine_version),
             recipeOn(on)});
    }
    return engines;
}

/// Keeps what is chosen; else this program is A, and the first other engine B.
void EnginePanel::offerEngines() {
    const auto chosen = [this](const QComboBox& box) -> std::optional<app::Recipe> {
        const int line = box.currentIndex();
        if (line < 0 || std::size_t(line) >= choices_.size()) return std::nullopt;
        return choices_[std::size_t(line)].recipe;
    };
    const std::optional<app::Recipe> keptA = chosen(*a_), keptB = chosen(*b_);
    std::vector<Choice> engines = foundEngines();
    engines.insert(engines.end(), added_.begin(), added_.end());
    const bool isFirstFound = !engines.empty() && choices_.size() <= 2;
    choices_ = {{tr("This program, all"), app::Recipe::plain(Level::all)},
                {tr("This program, disabled"), app::Recipe::plain(Level::disabled)}};
    choices_.insert(choices_.end(), engines.begin(), engines.end());
    const auto lineOf = [this](const std::optional<app::Recipe>& recipe, int otherwise) {
        const auto at = std::ranges::find_if(
            choices_, [&](const Choice& choice) { return recipe && choice.recipe == *recipe; });
        return at == choices_.end() ? otherwise : int(at - choices_.begin());
    };
    for (QComboBox* box : {a_, b_}) {
        const QSignalBlocker quiet(box);
        box->clear();
        for (const Choice& choice : choices_) box->addItem(choice.name);
        if (box == a_) box->setCurrentIndex(lineOf(keptA, 0));
        else box->setCurrentIndex(isFirstFound ? 2 : lineOf(keptB, 1));
    }
    refresh();
}

void EnginePanel::refresh() {
    const bool differ = a_->currentIndex() != b_->currentIndex();
    start_->setEnabled(workbench_.opened() != nullptr && differ && !isRunning());
}

void EnginePanel::clear() {
    rows_.setRows(std::vector<ComparedGroup>());
    verdict_->clear();
    verdict_->hide();
    sides_->clear();
    sides_->hide();
    table_->setEmptyText(
        tr("Choose two engines, or two releases of ONNX Runtime, and press "
           "Compare node by node: both run the opened model in turn."));
}

void EnginePanel::start() {
    if (isRunning() || !workbench_.opened() || a_->currentIndex() == b_->currentIndex()) return;
    const Choice a = choices_.at(std::size_t(a_->currentIndex()));
    const Choice b = choices_.at(std::size_t(b_->currentIndex()));
    app::NodeTimesJob compare;
    compare.model = workbench_.opened()->source;
    compare.model.model = workbench_.opened()->model;
    compare.a = a.recipe;
    compare.b = b.recipe;
    compare.settings = workbench_.runSettings();
    compare.pairs = pairs_;
    app::Job* job = job_.start<NodeComparison>(
        workbench_.jobs(), tr("Compare %1 with %2 node by node").arg(b.name, a.name),
        [compare, &engine = workbench_.engine()](const Progress& progress) {
            return engine.call(compare, progress);
        },
        [this, a, b](const NodeComparison& found) {
            banner_->hide();
            show(found, a.name, b.name);
            refresh();
        },
        [this](const Error& error) {
            banner_->hide();
            refresh();
            if (error.code() != ErrorCode::cancelled)
                banner_->showMessage(MessageBanner::Kind::error,
                                     tr("The engines could not be compared"),
                                     sentenceText(error.what()), tipText(error.what()));
        });
    const auto report = [this, job] {
        banner_->showMessage(MessageBanner::Kind::busy, tr("Comparing node by node …"),
                             labelText(job->stage()));
        banner_->setFraction(job->fraction());
    };
    report();
    connect(job, &app::Job::progressed, banner_, [this, report, job] {
        if (job_.job() == job) report();
    });
    refresh();
}

void EnginePanel::show(const NodeComparison& found, const QString& a, const QString& b) {
    rows_.setRows(found.groups);
    QStringList sentences;
    for (const std::string& sentence : found.sentences) {
        QString text = sentenceText(tipText(sentence));
        if (!text.isEmpty()) text[0] = text[0].toUpper();
        sentences << text + u'.';
    }
    verdict_->setText(sentences.join(u'\n'));
    verdict_->show();
    sides_->setText(tr("A: %1, %2 a run. B: %3, %4 a run. B less A: %5 to %6, in %7 pairs of "
                       "recorded runs.")
                        .arg(a, formatMilliseconds(found.a.wall_ms), b,
                             formatMilliseconds(found.b.wall_ms), boundText(found.difference.low),
                             boundText(found.difference.high),
                             formatCount(std::int64_t(found.pairs))));
    sides_->show();
    table_->setEmptyText(tr("Neither engine recorded a node."));
}

void EnginePanel::chooseOther() {
    auto* dialog = new QFileDialog(window(), tr("Another ONNX Runtime"));
    dialog->setObjectName(QStringLiteral("otherOnnxRuntimeDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &EnginePanel::addOther);
    dialog->open();
}

void EnginePanel::addOther(const QString& place) {
    app::RunsOn on;
    on.onnxruntime = true;
    on.place = toPath(place);
    const app::Recipe recipe = recipeOn(on);
    const auto is = [&](const Choice& choice) { return choice.recipe == recipe; };
    if (std::ranges::none_of(choices_, is)) {
        added_.push_back({tr("ONNX Runtime in %1").arg(labelText(place)), recipe});
        offerEngines();
    }
    b_->setCurrentIndex(int(std::ranges::find_if(choices_, is) - choices_.begin()));
}

}  // namespace lapidary::views

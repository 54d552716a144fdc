// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/serving_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

using app::ServedLoad;
using app::ServingPoint;
constexpr double worthwhile = 1.05;  // more requests than one by one

QString rateText(double perSecond) {
    return QLocale().toString(perSecond, 'f', perSecond < 100 ? 1 : 0);
}

template <ServedLoad ServingPoint::*side, double ServedLoad::*figure>
QVariant valueOf(const ServingPoint& point) {
    return point.*side.*figure;
}
template <ServedLoad ServingPoint::*side, double ServedLoad::*figure>
QString millisecondsOf(const ServingPoint& point) {
    return formatMilliseconds(point.*side.*figure);
}
template <ServedLoad ServingPoint::*side>
QString rateOf(const ServingPoint& point) {
    return rateText((point.*side).perSecond);
}

const Column<ServingPoint> serving_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Callers"),
     [](const ServingPoint& p) -> QVariant { return p.callers; }},
    {QT_TRANSLATE_NOOP("Columns", "Alone, per second"),
     valueOf<&ServingPoint::alone, &ServedLoad::perSecond>, rateOf<&ServingPoint::alone>},
    {QT_TRANSLATE_NOOP("Columns", "Alone, median"),
     valueOf<&ServingPoint::alone, &ServedLoad::p50Ms>,
     millisecondsOf<&ServingPoint::alone, &ServedLoad::p50Ms>},
    {QT_TRANSLATE_NOOP("Columns", "Alone, 99 %"), valueOf<&ServingPoint::alone, &ServedLoad::p99Ms>,
     millisecondsOf<&ServingPoint::alone, &ServedLoad::p99Ms>},
    {QT_TRANSLATE_NOOP("Columns", "Grouped, per second"),
     valueOf<&ServingPoint::grouped, &ServedLoad::perSecond>, rateOf<&ServingPoint::grouped>},
    {QT_TRANSLATE_NOOP("Columns", "Grouped, median"),
     valueOf<&ServingPoint::grouped, &ServedLoad::p50Ms>,
     millisecondsOf<&ServingPoint::grouped, &ServedLoad::p50Ms>},
    {QT_TRANSLATE_NOOP("Columns", "Grouped, 99 %"),
     valueOf<&ServingPoint::grouped, &ServedLoad::p99Ms>,
     millisecondsOf<&ServingPoint::grouped, &ServedLoad::p99Ms>},
    {QT_TRANSLATE_NOOP("Columns", "Rows per run"),
     valueOf<&ServingPoint::grouped, &ServedLoad::rowsPerRun>,
     [](const ServingPoint& p) { return QLocale().toString(p.grouped.rowsPerRun, 'f', 1); }},
};

}  // namespace

ServingPanel::ServingPanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), curve_(workbench.jobs()), sentence_(new QLabel),
      start_(new QPushButton), plot_(new ScatterPlot(tr("Latency against throughput"))),
      rows_(serving_columns), table_(new TableView(tr("Callers at the same time"))) {
    setObjectName(QStringLiteral("servingPanel"));
    sentence_->setObjectName(QStringLiteral("servingSentence"));
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    start_->setObjectName(QStringLiteral("servingStart"));
    start_->setToolTip(tr(
        "Measure 1, 2, 4, 8 and 16 callers, each of which sends its next request when the last is "
        "answered"));
    plot_->setObjectName(QStringLiteral("servingPlot"));
    plot_->setAxisTitles(tr("requests per second"), tr("median latency, ms"));
    table_->setObjectName(QStringLiteral("servingTable"));
    table_->setModel(&rows_);
    showWholeTitles(*table_);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, spacing, 4);
    head->addWidget(sentence_, 1);
    head->addWidget(start_, 0, Qt::AlignTop);
    auto* both = new QSplitter(Qt::Vertical);
    both->addWidget(plot_);
    both->addWidget(table_);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    both->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(both, 1);
    connect(start_, &QPushButton::clicked, this, &ServingPanel::toggle);
    connect(&curve_, &app::ServingCurve::changed, this, &ServingPanel::refresh);
    connect(&curve_, &app::ServingCurve::failed, this, [this](const QString& reason) {
        failure_ = reason;
        refresh();
    });
    connect(&workbench_, &app::Workbench::documentChanged, this, [this] {
        failure_.clear();
        curve_.forget();  // the curve was of another variant
    });
    refresh();
}

app::ModelSource ServingPanel::source() const {
    const app::DocumentPtr shown = workbench_.document();
    return shown ? workbench_.sourceOf(shown->variant) : app::ModelSource();
}

void ServingPanel::toggle() {
    failure_.clear();
    if (curve_.isRunning()) curve_.cancel();
    else if (workbench_.document()) curve_.start(source(), workbench_.runSettings());
}

QString ServingPanel::sentence() const {
    if (!workbench_.document()) return tr("No model is open.");
    if (!failure_.isEmpty()) return tr("Measuring failed: %1").arg(tipText(failure_));
    if (const QString refused = app::ServingCurve::refusal(source()); !refused.isEmpty())
        return refused;
    const auto& points = curve_.points();
    if (points.empty())
        return curve_.isRunning() ? tr("Measuring …")
                                  : tr("What happens when many ask at once? Does it pay to put "
                                       "their requests together into batches?");
    const auto pays = std::ranges::find_if(points, [](const ServingPoint& point) {
        return point.grouped.perSecond > worthwhile * point.alone.perSecond;
    });
    if (pays == points.end())
        return tr("Putting requests together answers no more of them, up to %1 callers.")
            .arg(points.back().callers);
    return tr("From %1 callers on putting requests together answers %2 times as many; 99 % are "
              "answered within %3 "
              "instead of %4.")
        .arg(pays->callers)
        .arg(QLocale().toString(pays->grouped.perSecond / pays->alone.perSecond, 'f', 2),
             formatMilliseconds(pays->grouped.p99Ms), formatMilliseconds(pays->alone.p99Ms));
}

void ServingPanel::refresh() {
    const bool can = workbench_.document() && app::ServingCurve::refusal(source()).isEmpty();
    start_->setEnabled(can || curve_.isRunning());
    start_->setText(curve_.isRunning()        ? tr("S&top")
                    : curve_.points().empty() ? tr("Sta&rt")
                                              : tr("Measure a&gain"));
    start_->setIcon(
        themedIcon(curve_.isRunning() ? QStringLiteral("cancel") : QStringLiteral("run")));
    sentence_->setText(sentenceText(sentence()));
    std::vector<ScatterPlot::Point> points;
    for (const ServingPoint& point : curve_.points())
        for (const bool grouped : {false, true}) {
            const ServedLoad& load = grouped ? point.grouped : point.alone;
            const QString callers =
                point.callers == 1 ? tr("1 caller") : tr("%1 callers").arg(point.callers);
            const QString text =
                (grouped ? tr("%1, requests put together: %2 per second, median %3")
                         : tr("%1, one by one: %2 per second, median %3"))
                    .arg(callers)
                    .arg(rateText(load.perSecond), formatMilliseconds(load.p50Ms));
            points.push_back({load.perSecond, load.p50Ms, text, grouped});
        }
    plot_->setEmptyText(tr("Grouped requests are joined by a line."));
    plot_->setPoints(std::move(points));
    table_->setEmptyText(tr("A line for each number of callers."));
    rows_.setRows(curve_.points());
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/trade_off_panel.h"

#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "tune/tune_figures.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_series = 60;  // characters of a name in the legend
constexpr std::size_t most_named = 4;     // points of the line: more names would cover each other

/// A variant that ONNX Runtime makes of the file itself when it is opened at that level.
bool isOfTheFile(const app::Recipe& recipe) {
    app::Recipe bare = recipe;
    bare.runs_on.reset();
    bare.dimensions.clear();
    bare.session_passes.reset();
    return bare.isPlainLevel();
}

/// "2 threads, batch 4, All (your ONNX Runtime)": the series where there are several.
QString nameAmong(const TradeOff& shown, const TradeOffPoint& point) {
    if (shown.series.size() < 2) return point.title;
    return QStringLiteral("%1 (%2)").arg(point.title,
                                         labelText(shown.series[point.series], longest_series));
}

}  // namespace

TradeOffPanel::TradeOffPanel(app::Workbench& workbench, app::EngineBeside& beside, QWidget* parent)
    : QWidget(parent), workbench_(workbench), tuning_(workbench.tuning()), beside_(beside),
      sentence_(new QLabel), legend_(new QLabel),
      plot_(new ScatterPlot(tr("Latency against throughput"))),
      code_(new CodeText(QStringLiteral("tuneCode"))) {
    setObjectName(QStringLiteral("tradeOffPanel"));
    sentence_->setObjectName(QStringLiteral("tradeOffSentence"));
    legend_->setObjectName(QStringLiteral("tradeOffLegend"));
    legend_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {sentence_, legend_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(12, 4, spacing, 0);
    }
    plot_->setObjectName(QStringLiteral("tradeOffPlot"));
    plot_->setAxisTitles(tr("median latency, ms"), tr("inferences per second"));
    plot_->setEmptyText(tr("Each setting is a point here as soon as it is measured."));
    code_->setProposal(QStringLiteral("Python"), QStringLiteral("py"),
                       QStringLiteral("run_model.py"));
    auto* top = new QWidget;
    auto* topColumn = new QVBoxLayout(top);
    topColumn->setContentsMargins(0, 0, 0, 0);
    topColumn->setSpacing(0);
    topColumn->addWidget(sentence_);
    topColumn->addWidget(legend_);
    topColumn->addWidget(plot_, 1);
    auto* both = new QSplitter(Qt::Vertical);
    both->setObjectName(QStringLiteral("tradeOffSplitter"));
    both->addWidget(top);
    both->addWidget(code_);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    both->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(both);
    connect(plot_, &ScatterPlot::pointPicked, this, [this](int point) {
        if (const std::ptrdiff_t cell = shown_.points[std::size_t(point)].cell; cell >= 0)
            emit cellPicked(cell);
    });
    connect(code_, &CodeText::statusMessage, this, &TradeOffPanel::statusMessage);
    const auto follow = [this] {
        if (isVisible()) refresh();
    };
    connect(&tuning_, &app::Tuning::changed, this, follow);
    connect(&beside_, &app::EngineBeside::changed, this, follow);
}

void TradeOffPanel::showEvent(QShowEvent* event) {
    refresh();
    QWidget::showEvent(event);
}

void TradeOffPanel::setPicked(std::ptrdiff_t cell) {
    picked_ = cell;
    const auto at = std::ranges::find(shown_.points, cell, &TradeOffPoint::cell);
    plot_->setCurrent(cell >= 0 && at != shown_.points.end() ? int(at - shown_.points.begin())
                                                             : -1);
}

QString TradeOffPanel::describeShown(double cap) const {
    const TradeOffPoint* const fastest = shown_.fastest();
    if (!fastest) return tr("Which setting answers most within a limit? Press Start to find out.");
    QString text = tr("On the line: %1 of %2 settings. No other setting beats them in both latency "
                      "and throughput.")
                       .arg(formatCount(qint64(shown_.onFrontier())),
                            formatCount(qint64(shown_.points.size())));
    if (cap <= 0) return text;
    text += u' ';
    const QString limit = formatMilliseconds(cap);
    if (const TradeOffPoint* const best = shown_.bestWithin(cap))
        return text + tr("Within %1, %2 gives the most inferences: %3 at %4.")
                          .arg(limit, nameAmong(shown_, *best),
                               figureText(TuneFigure::throughput, best->perSecond),
                               formatMilliseconds(best->latencyMs));
    return text +
           tr("None takes at most %1; the fastest, %2, takes %3.")
               .arg(limit, nameAmong(shown_, *fastest), formatMilliseconds(fastest->latencyMs));
}

QString TradeOffPanel::legend() const {
    if (shown_.points.empty()) return {};
    QStringList entries;
    for (qsizetype i = 0; i < shown_.series.size(); ++i)
        entries << QStringLiteral("%1 %2")
                       .arg(
                           QChar(ScatterPlot::scatter_marks[std::size_t(i) %
                                                            std::size(ScatterPlot::scatter_marks)]))
                       .arg(labelText(shown_.series[i], longest_series));
    entries << tr("★ recommended");
    return entries.join(QStringLiteral(" · "));
}

void TradeOffPanel::refresh() {
    const auto result = tuning_.result();
    shown_ =
        result ? tradeOffOf(*result, tuning_.measuredName(), beside_.found(), tuning_.otherSweeps())
               : TradeOff();
    const double cap = tuning_.options().latency_cap_ms;
    sentence_->setText(sentenceText(describeShown(cap)));
    legend_->setText(labelText(legend()));
    legend_->setVisible(!legend_->text().isEmpty());
    // In the unit in which the texts say such times.
    const bool isShort =
        !shown_.points.empty() &&
        std::ranges::max(shown_.points, {}, &TradeOffPoint::latencyMs).latencyMs < 1;
    const double perMs = isShort ? 1e3 : 1;
    plot_->setAxisTitles(isShort ? tr("median latency, µs") : tr("median latency, ms"),
                         tr("inferences per second"));
    const bool areNamed = shown_.onFrontier() <= most_named;
    std::vector<ScatterPlot::Point> points;
    for (const TradeOffPoint& point : shown_.points)
        points.push_back({point.latencyMs * perMs, point.perSecond, point.text, point.isOnFrontier,
                          point.isRecommended, false, point.series, false,
                          point.isOnFrontier && areNamed ? point.title : QString()});
    plot_->setTarget(cap > 0 ? std::optional(cap * perMs) : std::nullopt,
                     QStringLiteral("≤ %1").arg(formatMilliseconds(cap)));
    plot_->setPoints(std::move(points));
    setPicked(picked_);
    writeCode();
}

/// Of the recommended setting; while measuring, the last one stays.
void TradeOffPanel::writeCode() {
    const auto result = tuning_.result();
    const app::DocumentPtr opened = workbench_.opened();
    if (tuning_.isRunning() && written_) return;
    if (!opened || !result || result->recommendation.cell < 0) {
        job_.drop();
        written_.reset();
        return code_->showCode({}, tr("The code of the recommended setting appears here."));
    }
    const auto cell = std::size_t(result->recommendation.cell);
    const app::TuneChoice choice = tuning_.choiceOf(cell);
    if (!isOfTheFile(choice.shown)) {
        job_.drop();
        written_.reset();
        return code_->showCode({}, tr("ONNX Runtime needs this variant as a file: export it. The "
                                      "Compare page has its code."));
    }
    const QString path = exactText(opened->model->path.string());
    SnippetSettings settings;
    settings.model_file =
        (path.isEmpty() ? opened->title + QStringLiteral(".onnx") : QFileInfo(path).fileName())
            .toStdString();
    settings.onnxruntime_version = known_onnxruntime_versions().front();
    settings.configuration = result->cells[cell].configuration;
    for (const auto& [name, size] : choice.run.dimensions)
        if (size > 0) settings.free_dimensions[name] = size;
    std::vector<app::ProviderChoice> providers;
    if (choice.shown.runs_on && choice.shown.runs_on->onnxruntime)
        providers = choice.shown.runs_on->providers;
    for (const app::ProviderChoice& provider : providers)
        settings.providers.push_back({provider.name, provider.options});
    Written wanted{opened->model, settings.model_file, settings.configuration,
                   settings.free_dimensions, std::move(providers)};
    if (written_ == wanted) return;
    written_ = std::move(wanted);
    startCode(opened->model, settings);
}

/// In a job: the inputs in the code may be large.
void TradeOffPanel::startCode(const ModelPtr& model, const SnippetSettings& settings) {
    job_.start<QString>(
        workbench_.jobs(), tr("Code"),
        [model, settings](const Progress&) {
            return exactText(snippet(*model, SnippetLanguage::python, settings));
        },
        [this](const QString& code) { code_->showCode(code, {}); },
        [this](const Error& error) { code_->showCode({}, tipText(error.what())); });
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/tune_figures.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <set>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/recipe.h"
#include "workbench/tuning/tune_plan.h"

namespace lapidary::views {
namespace {

struct Tune {
    Q_DECLARE_TR_FUNCTIONS(Tune)
};

QString decimals(double value, int digits) { return QLocale().toString(value, 'f', digits); }

/// A single thread never waits for another one, so spinning has no effect.
const SweepCell* base_of(const std::vector<SweepCell>& cells, std::size_t cell) {
    const RunConfiguration& mine = cells[cell].configuration;
    const SweepCell* base = nullptr;
    for (const SweepCell& other : cells) {
        const RunConfiguration& its = other.configuration;
        if (!app::measuredTogether(its, mine) ||
            (its.resources.spinning != mine.resources.spinning && its.resources.threads != 1))
            continue;
        if (!base || its.resources.threads < base->configuration.resources.threads) base = &other;
    }
    return base && base->state == CellState::done ? base : nullptr;
}

}  // namespace

QString nameOf(TuneAxis axis) {
    switch (axis) {
    case TuneAxis::threads: return Tune::tr("Threads");
    case TuneAxis::batch: return Tune::tr("Batch");
    case TuneAxis::inter: return Tune::tr("Inter-op threads");
    case TuneAxis::mode: return Tune::tr("Execution");
    case TuneAxis::spinning: return Tune::tr("Spinning");
    case TuneAxis::level: break;
    }
    return Tune::tr("Level");
}

qint64 placeOn(TuneAxis axis, const RunConfiguration& configuration) {
    switch (axis) {
    case TuneAxis::threads: return configuration.resources.threads;
    case TuneAxis::batch: return configuration.batch;
    case TuneAxis::inter: return configuration.resources.inter_threads;
    case TuneAxis::mode: return qint64(configuration.resources.mode);
    case TuneAxis::spinning: return configuration.resources.spinning ? 0 : 1;
    case TuneAxis::level: break;
    }
    return qint64(configuration.level);
}

QString placeText(TuneAxis axis, qint64 place) {
    switch (axis) {
    case TuneAxis::threads:
    case TuneAxis::inter: return formatCount(place);
    case TuneAxis::batch: return place == 0 ? Tune::tr("as given") : formatCount(place);
    case TuneAxis::mode:
        return ExecutionMode(place) == ExecutionMode::sequential ? Tune::tr("sequential")
                                                                 : Tune::tr("parallel");
    case TuneAxis::spinning: return place == 0 ? Tune::tr("on") : Tune::tr("off");
    case TuneAxis::level: break;
    }
    return app::nameOf(Level(place));
}

QString placeTitle(TuneAxis axis, qint64 place) {
    switch (axis) {
    case TuneAxis::threads:
        return place == 1 ? Tune::tr("1 thread") : Tune::tr("%1 threads").arg(formatCount(place));
    case TuneAxis::batch:
        return place == 0 ? Tune::tr("batch as given")
                          : Tune::tr("batch %1").arg(formatCount(place));
    case TuneAxis::inter: return Tune::tr("inter-op %1").arg(formatCount(place));
    case TuneAxis::spinning: return place == 0 ? Tune::tr("spinning") : Tune::tr("no spinning");
    case TuneAxis::mode:
    case TuneAxis::level: break;
    }
    return placeText(axis, place);
}

std::vector<qint64> placesOn(TuneAxis axis, const std::vector<SweepCell>& cells) {
    std::set<qint64> places;
    for (const SweepCell& cell : cells) places.insert(placeOn(axis, cell.configuration));
    return {places.begin(), places.end()};
}

QString nameOf(TuneFigure figure) {
    switch (figure) {
    case TuneFigure::median: return Tune::tr("Median time");
    case TuneFigure::throughput: return Tune::tr("Throughput");
    case TuneFigure::speedUp: return Tune::tr("Speed-up");
    case TuneFigure::efficiency: break;
    }
    return Tune::tr("Efficiency");
}

QString tipOf(TuneFigure figure) {
    switch (figure) {
    case TuneFigure::median:
        return Tune::tr("Milliseconds of one run; half of the runs took longer");
    case TuneFigure::throughput:
        return Tune::tr("Inferences per second: the batch by the median time");
    case TuneFigure::speedUp:
        return Tune::tr("How many times as fast as with the fewest threads, all else alike");
    case TuneFigure::efficiency: break;
    }
    return Tune::tr("Speed-up by the number of threads that it took: 100 % is ideal");
}

FigureValue figureOf(const std::vector<SweepCell>& cells, std::size_t cell, TuneFigure figure) {
    FigureValue value;
    const SweepCell& mine = cells[cell];
    const MedianEstimate& time = mine.measurement.wall.median;
    if (mine.state != CellState::done || time.median <= 0) return value;
    if (figure == TuneFigure::median) return {true, time.median, time.low, time.high};
    if (figure == TuneFigure::throughput) {
        const double batch = double(std::max<std::int64_t>(1, mine.configuration.batch)) * 1e3;
        const double perSecond =
            mine.measurement.per_second > 0 ? mine.measurement.per_second : batch / time.median;
        const double scale = perSecond * time.median;  // batch, as the measurement counts it
        return {true, perSecond, time.high > 0 ? scale / time.high : perSecond,
                time.low > 0 ? scale / time.low : perSecond};
    }
    const SweepCell* base = base_of(cells, cell);
    if (!base) return value;
    const MedianEstimate& from = base->measurement.wall.median;
    value = {true, from.median / time.median, time.high > 0 ? from.low / time.high : 0,
             time.low > 0 ? from.high / time.low : 0};
    if (base == &mine) value.low = value.high = value.value;
    if (figure == TuneFigure::efficiency) {
        const double more = double(mine.configuration.resources.threads) /
                            std::max(1, base->configuration.resources.threads);
        for (double* part : {&value.value, &value.low, &value.high}) *part /= more;
    }
    return value;
}

QString figureText(TuneFigure figure, double value) {
    switch (figure) {
    case TuneFigure::median: return formatMilliseconds(value);
    case TuneFigure::throughput:
        return Tune::tr("%1 /s").arg(decimals(value, value >= 100 ? 0 : value >= 10 ? 1 : 2));
    case TuneFigure::speedUp: return Tune::tr("%1×").arg(decimals(value, 2));
    case TuneFigure::efficiency: break;
    }
    return Tune::tr("%1 %").arg(decimals(value * 100, 0));
}

QString intervalText(TuneFigure figure, const FigureValue& value) {
    return QStringLiteral("%1 – %2").arg(figureText(figure, value.low),
                                         figureText(figure, value.high));
}

double goodnessOf(TuneFigure figure, double value, double worst, double best) {
    if (worst == best) return 1;
    const bool ratios = figure == TuneFigure::median || figure == TuneFigure::throughput;
    const auto scale = [ratios](double x) { return ratios ? std::log(std::max(1e-12, x)) : x; };
    return std::clamp((scale(value) - scale(worst)) / (scale(best) - scale(worst)), 0.0, 1.0);
}

QString titleOf(const RunConfiguration& configuration) {
    QStringList parts{placeTitle(TuneAxis::threads, configuration.resources.threads)};
    if (configuration.batch != 0) parts << placeTitle(TuneAxis::batch, configuration.batch);
    if (configuration.resources.mode != ExecutionMode::sequential) {
        parts << placeTitle(TuneAxis::mode, qint64(configuration.resources.mode));
        parts << placeTitle(TuneAxis::inter, configuration.resources.inter_threads);
    }
    if (!configuration.resources.spinning) parts << placeTitle(TuneAxis::spinning, 1);
    parts << placeTitle(TuneAxis::level, qint64(configuration.level));
    return parts.join(QStringLiteral(", "));
}

QString describe(const std::vector<SweepCell>& cells, std::size_t cell, int cores) {
    const SweepCell& mine = cells[cell];
    QStringList lines{titleOf(mine.configuration)};
    switch (mine.state) {
    case CellState::waiting:
        lines << Tune::tr("Not measured; that takes %1").arg(aboutSeconds(mine.estimate_seconds));
        break;
    case CellState::running: lines << Tune::tr("Being measured …"); break;
    case CellState::failed:
        lines << Tune::tr("Could not be measured: %1").arg(labelText(mine.reason));
        break;
    case CellState::skipped: lines << Tune::tr("Left out: %1").arg(labelText(mine.reason)); break;
    case CellState::done: {
        const SampleSummary& wall = mine.measurement.wall;
        for (const TuneFigure figure : tune_figures) {
            const FigureValue value = figureOf(cells, cell, figure);
            if (!value.known) continue;
            lines << Tune::tr("%1: %2 (95 % interval %3)")
                         .arg(nameOf(figure), figureText(figure, value.value),
                              intervalText(figure, value));
        }
        lines << Tune::tr("p90 %1, p99 %2, fastest %3, slowest %4")
                     .arg(formatMilliseconds(wall.p90), formatMilliseconds(wall.p99),
                          formatMilliseconds(wall.minimum), formatMilliseconds(wall.maximum));
        if (mine.measurement.cpu_ms.median > 0)
            lines << Tune::tr("CPU time of all threads: %1")
                         .arg(formatMilliseconds(mine.measurement.cpu_ms.median));
        if (mine.measurement.first_ms > 0)
            lines << Tune::tr("First run: %1").arg(formatMilliseconds(mine.measurement.first_ms));
        lines << Tune::tr("%n run(s) measured", nullptr, int(wall.median.samples));
        if (!wall.note.empty()) lines << labelText(wall.note);
        break;
    }
    }
    if (cores > 0 && mine.configuration.resources.threads > cores)
        lines << Tune::tr("More threads than this machine's %1 cores").arg(cores);
    return lines.join(u'\n');
}

QString aboutSeconds(double seconds) {
    if (seconds < 1) return Tune::tr("under 1 s");
    if (seconds < 90) return Tune::tr("about %1 s").arg(int(std::lround(seconds)));
    if (seconds < 5400) return Tune::tr("about %1 min").arg(int(std::lround(seconds / 60)));
    return Tune::tr("about %1 h").arg(decimals(seconds / 3600, 1));
}

QString nameOf(SweepConfidence::Degree degree) {
    switch (degree) {
    case SweepConfidence::Degree::high: return Tune::tr("High confidence");
    case SweepConfidence::Degree::medium: return Tune::tr("Fair confidence");
    case SweepConfidence::Degree::low: return Tune::tr("Low confidence");
    case SweepConfidence::Degree::none: break;
    }
    return {};
}

QStringList reasonsOf(const SweepConfidence& confidence) {
    QStringList reasons;
    if (confidence.degree == SweepConfidence::Degree::none) return reasons;
    if (confidence.verified > 0)
        reasons << Tune::tr("measured in turn with the next best, %n setting(s) in all", nullptr,
                            int(confidence.verified));
    if (confidence.runs < 6)
        reasons << Tune::tr("only %n run(s) measured", nullptr, int(confidence.runs));
    else reasons << Tune::tr("median known to ±%1 %").arg(decimals(confidence.half_width * 100, 1));
    if (confidence.measured == 1) reasons << Tune::tr("nothing to compare with yet");
    if (confidence.drift != 0)
        reasons << Tune::tr("its times drifted by %1 % while it was measured")
                       .arg(decimals(confidence.drift * 100, 1));
    if (confidence.unsteady > 0)
        reasons << Tune::tr("the machine was unsteady during %1 of %2 settings")
                       .arg(confidence.unsteady)
                       .arg(confidence.measured);
    if (confidence.measured < confidence.planned)
        reasons << Tune::tr("%1 of %2 settings measured")
                       .arg(confidence.measured)
                       .arg(confidence.planned);
    return reasons;
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// What the Tune page reads off the cells of a sweep: axes, figures with intervals, words.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

#include <lapidary/bench/sweep.h>

namespace lapidary::views {

/// What the cells of a sweep differ in.
enum class TuneAxis { threads, batch, inter, mode, spinning, level };
inline constexpr TuneAxis tune_axes[] = {TuneAxis::threads, TuneAxis::batch,    TuneAxis::inter,
                                         TuneAxis::mode,    TuneAxis::spinning, TuneAxis::level};
QString nameOf(TuneAxis axis);  // "Threads"
qint64 placeOn(TuneAxis axis, const RunConfiguration& configuration);
QString placeText(TuneAxis axis, qint64 place);   // "4", "as given", "parallel"
QString placeTitle(TuneAxis axis, qint64 place);  // "4 threads", "batch 4"
/// Different ones, ascending.
std::vector<qint64> placesOn(TuneAxis axis, const std::vector<SweepCell>& cells);

enum class TuneFigure { median, throughput, speedUp, efficiency };
inline constexpr TuneFigure tune_figures[] = {TuneFigure::median, TuneFigure::throughput,
                                              TuneFigure::speedUp, TuneFigure::efficiency};
QString nameOf(TuneFigure figure);  // "Median time"
QString tipOf(TuneFigure figure);

/// A figure with the interval that holds the true one with 95 % confidence.
struct FigureValue {
    bool known = false;
    double value = 0, low = 0, high = 0;
};
/// Speed-up and efficiency are against the cell with the fewest threads and all else alike; unknown
/// until that is measured.
FigureValue figureOf(const std::vector<SweepCell>& cells, std::size_t cell, TuneFigure figure);
QString figureText(TuneFigure figure, double value);                // "8.10 ms", "1.84×", "92 %"
QString intervalText(TuneFigure figure, const FigureValue& value);  // "8.05 – 8.20 ms"
/// 0 the worst to 1 the best of what was measured.
double goodnessOf(TuneFigure figure, double value, double worst, double best);

/// "2 threads, batch 4": what is not the usual.
QString titleOf(const RunConfiguration& configuration);
/// Everything that is known of a cell, in lines.
QString describe(const std::vector<SweepCell>& cells, std::size_t cell, int cores);
/// "about 12 s", "about 3 min".
QString aboutSeconds(double seconds);

/// What the confidence rests on.
QStringList reasonsOf(const SweepConfidence& confidence);
QString nameOf(SweepConfidence::Degree degree);

}  // namespace lapidary::views

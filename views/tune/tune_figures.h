// SPDX-License-Identifier: GPL-3.0-or-later
// Values that the Tune page shows for cells of a sweep: axes, figures with intervals, texts.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

#include <lapidary/bench/sweep.h>

namespace lapidary::views {

/// The settings in which the cells of a sweep differ.
enum class TuneAxis { threads, batch, inter, mode, spinning, level };
inline constexpr TuneAxis tune_axes[] = {TuneAxis::threads, TuneAxis::batch,    TuneAxis::inter,
                                         TuneAxis::mode,    TuneAxis::spinning, TuneAxis::level};
QString nameOf(TuneAxis axis);  // "Threads"
qint64 placeOn(TuneAxis axis, const RunConfiguration& configuration);
QString placeText(TuneAxis axis, qint64 place);   // "4", "as given", "parallel"
QString placeTitle(TuneAxis axis, qint64 place);  // "4 threads", "batch 4"
/// The distinct places of the cells, ascending.
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
/// Speed-up and efficiency are relative to the cell with the fewest threads and otherwise equal
/// settings; unknown until that is measured.
FigureValue figureOf(const std::vector<SweepCell>& cells, std::size_t cell, TuneFigure figure);
QString figureText(TuneFigure figure, double value);                // "8.10 ms", "1.84×", "92 %"
QString intervalText(TuneFigure figure, const FigureValue& value);  // "8.05 – 8.20 ms"
/// From 0 for the worst to 1 for the best measured value.
double goodnessOf(TuneFigure figure, double value, double worst, double best);

/// "2 threads, batch 4": the settings that differ from the defaults.
QString titleOf(const RunConfiguration& configuration);
/// Everything that is known about a cell, in several lines.
QString describe(const std::vector<SweepCell>& cells, std::size_t cell, int cores);
/// "about 12 s", "about 3 min".
QString aboutSeconds(double seconds);

/// The reasons for the degree of confidence.
QStringList reasonsOf(const SweepConfidence& confidence);
QString nameOf(SweepConfidence::Degree degree);

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about the result of a quantization.
#pragma once

#include <QString>
#include <QStringList>

#include <lapidary/bench/bench.h>
#include <lapidary/quantize/quantize_report.h>
#include <lapidary/quantize/quantize_verdict.h>

#include "worker/protocol/quantize_record.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {

QString nameOf(app::QuantizeMethod method);
QString tipOf(app::QuantizeMethod method);
QString nameOf(app::QuantizeGoal goal);
QString tipOf(app::QuantizeGoal goal);

QString nameOf(QuantizedQuality quality);
/// "38.4 dB (37.9 – 38.9)": with the interval if one is known.
QString decibelText(const app::QuantizeTrial& trial);
/// "3.9×"
QString timesText(double times);
/// "1.46 ms ± 0.03"
QString timeText(const MedianEstimate& ms);
/// "1.8× faster", "1.3× slower", "no faster beyond noise"; empty: not measured.
QString speedText(const app::QuantizeTrial& trial);
/// Recipe, SQNR with its interval, changed answers, size, time and speed of a trial, as far as they
/// are known. `originalBytes`: of the float model's constants; 0: unknown.
QStringList figureLines(const app::QuantizeTrial& trial, std::uint64_t originalBytes);
/// "3.9× smaller, 1.8× faster, SQNR 38.4 dB, good, 0 of 64 answers changed". Empty while there is
/// no best.
QString verdictOf(const app::QuantizeRecord& record);
/// The basis of the verdict: recipe, times, samples, nodes.
QStringList groundsOf(const app::QuantizeRecord& record);
/// Why the most accurate recipe is not the best by the goal "most accurate". Empty: it is, the goal
/// is another, or the best was chosen by hand.
QString whyNotMostAccurate(const app::QuantizeRecord& record, app::QuantizeGoal goal);
/// The record as a report. It must have a best trial.
QuantizeReport reportOf(const app::QuantizeRecord& record, const QString& title);

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the cards, from a comparison.
#include <QLocale>

#include <algorithm>
#include <cmath>

#include "compare/signed_text.h"
#include "compare/summary_cards.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// Three digits, or all digits before the decimal point: "56.4", "17,720".
QString perSecond(double rate) {
    return QLocale().toString(rate, 'f', rate < 10 ? 2 : rate < 1000 ? 1 : 0);
}

QString interval(const MedianEstimate& estimate) {
    return SummaryCards::tr("median of %1 runs; 95 % interval %2 to %3")
        .arg(formatCount(qint64(estimate.samples)), formatMilliseconds(estimate.low),
             formatMilliseconds(estimate.high));
}

/// A figure that is exact: any difference counts.
SummaryFigure exact(const QString& name, double a, double b, const QString& textA,
                    const QString& textB, const QString& tip) {
    SummaryFigure figure{name, textA, textB, {}, {}, b - a, tip};
    if (a > 0 && std::fabs(b - a) < 0.0005 * a) figure.sign = 0;
    figure.change = a == b || figure.sign == 0 ? SummaryCards::tr("no change")
                    : a > 0                    ? signedPercent((b - a) / a)
                                               : betterGlyph(b - a);
    return figure;
}

/// The measurement of one side, where it has runs.
const Measurement* measured(const app::ComparisonRecord* record, bool ofA) {
    if (!record) return nullptr;
    const auto& side = ofA ? record->measured_a : record->measured_b;
    return side && side->wall.median.samples > 0 ? &*side : nullptr;
}

SummaryFigure unmeasured(const QString& name, const QString& tip) {
    return {name, {}, {}, {}, SummaryCards::tr("press Compare"), 0, tip};
}

/// Says of latency and throughput whether B differs from A.
void reportDifference(SummaryFigure& latency, SummaryFigure& throughput,
                      const Difference& difference, const Measurement& a, const Measurement& b) {
    const MedianEstimate& ratio = difference.ratio;
    // Pairs are more precise than the two medians. If both point to different sides, neither is
    // shown as a change.
    const bool agree = (ratio.median < 1) == (b.wall.median.median < a.wall.median.median);
    const bool significant = difference.significant && agree;
    const QString interval = percentInterval(ratio.low - 1, ratio.high - 1);
    if (significant) latency.change = signedPercent(ratio.median - 1);
    // with fewer runs difference_between() makes no pairs
    const bool ofPairs = std::min(a.wall.median.samples, b.wall.median.samples) >= 6;
    latency.worth = !significant ? SummaryCards::tr("no difference beyond noise")
                    : ofPairs    ? SummaryCards::tr("of pairs: %1").arg(interval)
                                 : SummaryCards::tr("significant: %1").arg(interval);
    latency.sign = significant ? ratio.median - 1 : 0;
    latency.tip +=
        u'\n' + SummaryCards::tr("Difference of B against A: %1 (95 % interval)").arg(interval);
    if (ofPairs)
        latency.tip +=
            u'\n' + SummaryCards::tr(
                        "The change is that of pairs: the median over runs of B, each against "
                        "the run of A beside it. It may differ from that of the two medians.");
    if (significant && ratio.median > 0)
        throughput.change = signedPercent(1 / ratio.median - 1, false);
    throughput.worth = !significant ? latency.worth
                       : ofPairs    ? SummaryCards::tr("of pairs, significant")
                                    : SummaryCards::tr("significant");
    throughput.sign = latency.sign;
}

void reportLoad(SummaryFigure& load, const Measurement& a, const Measurement& b) {
    load.worth = SummaryCards::tr("not measured");
    if (!a.fresh_load_ms() || !b.fresh_load_ms() || a.load_ms <= 0) return;
    load.a = formatMilliseconds(a.load_ms);
    load.b = formatMilliseconds(b.load_ms);
    load.change = signedPercent(b.load_ms / a.load_ms - 1);
    load.worth = SummaryCards::tr("of fresh processes");
    load.tip += u'\n' + SummaryCards::tr("First run: %1 and %2")
                            .arg(formatMilliseconds(a.first_ms), formatMilliseconds(b.first_ms));
}

void addTimes(std::vector<SummaryFigure>& figures, const app::ComparisonRecord* record) {
    const Measurement *a = measured(record, true), *b = measured(record, false);
    SummaryFigure latency =
        unmeasured(SummaryCards::tr("Latency"),
                   SummaryCards::tr("Median time of one run. Both variants run in turn, in random "
                                    "order, so that a busy machine slows both."));
    SummaryFigure throughput = unmeasured(
        SummaryCards::tr("Throughput"),
        SummaryCards::tr("Inferences per second: batch size by the median time of a run"));
    SummaryFigure load =
        unmeasured(SummaryCards::tr("Load time"),
                   SummaryCards::tr("From the file to a session that can run: each variant is "
                                    "exported and opened by a separate process"));
    if (a && b) {
        latency.a = formatMilliseconds(a->wall.median.median);
        latency.b = formatMilliseconds(b->wall.median.median);
        latency.tip += QStringLiteral("\nA: %1\nB: %2")
                           .arg(interval(a->wall.median), interval(b->wall.median));
        throughput.a = SummaryCards::tr("%1 /s").arg(perSecond(a->per_second));
        throughput.b = SummaryCards::tr("%1 /s").arg(perSecond(b->per_second));
        latency.worth.clear();
        throughput.worth.clear();
        if (record->difference) reportDifference(latency, throughput, *record->difference, *a, *b);
        for (const auto* side : {a, b})
            if (!side->wall.note.empty()) latency.tip += u'\n' + tipText(side->wall.note);
        reportLoad(load, *a, *b);
    }
    if (record && record->complete && (!a || !b))
        for (SummaryFigure* figure : {&latency, &throughput, &load})
            figure->worth = SummaryCards::tr("not measured");
    figures.push_back(latency);
    figures.push_back(throughput);
    figures.push_back(load);
}

/// As the Memory and the Optimize page show it.
SummaryFigure plannedPeaks(const PlannedPeaks& peaks) {
    const QString name = SummaryCards::tr("Process");
    const QString tip =
        SummaryCards::tr("Memory of a process that runs it, as the Memory page shows it");
    const auto isPlanned = [](const app::PlannedPeak* peak) {
        return peak && peak->failure.isEmpty();
    };
    if (!isPlanned(peaks.a) || !isPlanned(peaks.b)) {
        const bool failed =
            (peaks.a && !peaks.a->failure.isEmpty()) || (peaks.b && !peaks.b->failure.isEmpty());
        return {name,
                {},
                {},
                {},
                failed ? SummaryCards::tr("not known") : SummaryCards::tr("planning …"),
                0,
                tip};
    }
    return exact(
        name, double(peaks.a->process_bytes), double(peaks.b->process_bytes),
        formatBytes(peaks.a->process_bytes), formatBytes(peaks.b->process_bytes),
        tip + u'\n' +
            SummaryCards::tr("Activations planned: %1 and %2")
                .arg(formatBytes(peaks.a->needed_bytes), formatBytes(peaks.b->needed_bytes)));
}

}  // namespace

std::vector<SummaryFigure> summaryFigures(const app::Variant& a, const app::Variant& b,
                                          const app::ComparisonRecord* record,
                                          const PlannedPeaks& peaks) {
    std::vector<SummaryFigure> figures;
    addTimes(figures, record);
    SummaryFigure process = plannedPeaks(peaks);
    if (record && record->measured_a && record->measured_b && record->measured_a->peak_mb &&
        record->measured_b->peak_mb)
        process.tip +=
            u'\n' + SummaryCards::tr(
                        "Resident memory of fresh processes, pages of files included: %1 and %2")
                        .arg(formatBytes(std::uint64_t(*record->measured_a->peak_mb * 1e6)),
                             formatBytes(std::uint64_t(*record->measured_b->peak_mb * 1e6)));
    figures.push_back(process);
    figures.push_back(exact(SummaryCards::tr("Weights as stored"), double(a.summary.weight_bytes),
                            double(b.summary.weight_bytes), formatBytes(a.summary.weight_bytes),
                            formatBytes(b.summary.weight_bytes),
                            SummaryCards::tr("Bytes of all constants in the file")));
    figures.push_back(exact(SummaryCards::tr("Nodes"), double(a.report.nodes_after),
                            double(b.report.nodes_after), formatCount(qint64(a.report.nodes_after)),
                            formatCount(qint64(b.report.nodes_after)),
                            SummaryCards::tr("Nodes of the graph, those of subgraphs counted")));
    return figures;
}

}  // namespace lapidary::views

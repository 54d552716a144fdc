// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the cards, from a comparison.
#include <QLocale>

#include <cmath>

#include "compare/signed_text.h"
#include "compare/summary_cards.h"
#include "widgets/quantity.h"
#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

/// Four digits or all before the point: "56.4", "17,720".
QString perSecond(double rate) { return QLocale().toString(rate, 'f', rate < 10 ? 2 : rate < 1000 ? 1 : 0); }

QString interval(const MedianEstimate& estimate) {
    return SummaryCards::tr("median of %1 runs; 95 % interval %2 to %3")
        .arg(formatCount(qint64(estimate.samples)), formatMilliseconds(estimate.low),
             formatMilliseconds(estimate.high));
}

/// A figure that is exact: any difference counts.
SummaryFigure exact(const QString& name, double a, double b, const QString& textA, const QString& textB,
                    const QString& tip) {
    SummaryFigure figure{name, textA, textB, {}, {}, b - a, tip};
    if (a > 0 && std::fabs(b - a) < 0.0005 * a) figure.sign = 0;
    figure.change = a == b || figure.sign == 0 ? SummaryCards::tr("no change")
                    : a > 0                    ? signedPercent((b - a) / a)
                                               : signGlyph(b - a);
    return figure;
}

void addTimes(std::vector<SummaryFigure>& figures, const app::ComparisonRecord* record) {
    const Measurement* a =
        record && record->measured_a && record->measured_a->wall.median.samples > 0 ? &*record->measured_a : nullptr;
    const Measurement* b =
        record && record->measured_b && record->measured_b->wall.median.samples > 0 ? &*record->measured_b : nullptr;
    SummaryFigure latency{
        SummaryCards::tr("Latency"),
        {},
        {},
        {},
        SummaryCards::tr("press Compare"),
        0,
        SummaryCards::tr(
            "Median time of one run. Both variants run in turn, in random order, so that a busy machine slows both.")};
    SummaryFigure throughput{SummaryCards::tr("Throughput"),
                             {},
                             {},
                             {},
                             SummaryCards::tr("press Compare"),
                             0,
                             SummaryCards::tr("Inferences per second: batch size by the median time of a run")};
    SummaryFigure load{
        SummaryCards::tr("Load time"),
        {},
        {},
        {},
        SummaryCards::tr("press Compare"),
        0,
        SummaryCards::tr(
            "From the file to a session that can run: each variant is exported and opened by a process of its own")};
    if (a && b) {
        latency.a = formatMilliseconds(a->wall.median.median);
        latency.b = formatMilliseconds(b->wall.median.median);
        latency.tip += QStringLiteral("\nA: %1\nB: %2").arg(interval(a->wall.median), interval(b->wall.median));
        throughput.a = SummaryCards::tr("%1 /s").arg(perSecond(a->per_second));
        throughput.b = SummaryCards::tr("%1 /s").arg(perSecond(b->per_second));
        latency.worth.clear();
        throughput.worth.clear();
        load.worth.clear();
        if (record->difference) {
            const MedianEstimate& ratio = record->difference->ratio;
            // Pairs tell more than the two medians; where both point to different sides, neither is told as a change.
            const bool agree = (ratio.median < 1) == (b->wall.median.median < a->wall.median.median);
            const bool significant = record->difference->significant && agree;
            if (significant) latency.change = signedPercent(ratio.median - 1);
            latency.worth =
                significant ? SummaryCards::tr("significant: %1").arg(percentInterval(ratio.low - 1, ratio.high - 1))
                            : SummaryCards::tr("no difference beyond noise");
            latency.sign = significant ? ratio.median - 1 : 0;
            latency.tip += u'\n' + SummaryCards::tr("Difference of B against A: %1 (95 % interval)")
                                       .arg(percentInterval(ratio.low - 1, ratio.high - 1));
            if (significant && ratio.median > 0) throughput.change = signedPercent(1 / ratio.median - 1);
            throughput.worth =
                latency.worth.isEmpty() || !significant ? latency.worth : SummaryCards::tr("significant");
            throughput.sign = latency.sign;
        }
        for (const auto* side : {a, b})
            if (!side->wall.note.empty()) latency.tip += u'\n' + tipText(side->wall.note);
        if (a->fresh_load_ms() && b->fresh_load_ms() && a->load_ms > 0) {
            load.a = formatMilliseconds(a->load_ms);
            load.b = formatMilliseconds(b->load_ms);
            load.change = signedPercent(b->load_ms / a->load_ms - 1);
            load.worth = SummaryCards::tr("of fresh processes");
            load.tip += u'\n' + SummaryCards::tr("First run: %1 and %2")
                                    .arg(formatMilliseconds(a->first_ms), formatMilliseconds(b->first_ms));
        } else {
            load.worth = SummaryCards::tr("not measured");
        }
    }
    if (record && record->complete && (!a || !b))
        for (SummaryFigure* figure : {&latency, &throughput, &load}) figure->worth = SummaryCards::tr("not measured");
    figures.push_back(latency);
    figures.push_back(throughput);
    figures.push_back(load);
}

}  // namespace

std::vector<SummaryFigure> summaryFigures(const app::Variant& a, const app::Variant& b,
                                          const app::ComparisonRecord* record, const CompareDigest* digest) {
    std::vector<SummaryFigure> figures;
    addTimes(figures, record);
    if (record && record->measured_a && record->measured_b && record->measured_a->peak_mb &&
        record->measured_b->peak_mb) {
        const double before = *record->measured_a->peak_mb, after = *record->measured_b->peak_mb;
        figures.push_back(
            exact(SummaryCards::tr("Peak memory"), before, after, formatBytes(std::uint64_t(before * 1e6)),
                  formatBytes(std::uint64_t(after * 1e6)),
                  SummaryCards::tr(
                      "Largest resident memory of a fresh process that opens the exported variant and runs it")));
    } else if (digest && digest->memory_a && digest->memory_b) {
        figures.push_back(exact(SummaryCards::tr("Peak activations"), digest->memory_a->peak_bytes,
                                digest->memory_b->peak_bytes, formatBytes(std::uint64_t(digest->memory_a->peak_bytes)),
                                formatBytes(std::uint64_t(digest->memory_b->peak_bytes)),
                                SummaryCards::tr("Most bytes of activations alive at once, as planned")));
    } else {
        const auto text = [](const app::Variant& v) {
            return v.activations.peak_bytes > 0 ? QStringLiteral("≈ ") + formatBytes(v.activations.peak_bytes)
                                                : QString();
        };
        figures.push_back(
            exact(SummaryCards::tr("Peak activations"), double(a.activations.peak_bytes),
                  double(b.activations.peak_bytes), text(a), text(b),
                  SummaryCards::tr("Estimated from the types; comparing runs the models and says it exactly")));
    }
    figures.push_back(exact(SummaryCards::tr("Weights"), double(a.summary.weight_bytes), double(b.summary.weight_bytes),
                            formatBytes(a.summary.weight_bytes), formatBytes(b.summary.weight_bytes),
                            SummaryCards::tr("Bytes of all constants")));
    figures.push_back(exact(SummaryCards::tr("Nodes"), double(a.report.nodes_after), double(b.report.nodes_after),
                            formatCount(qint64(a.report.nodes_after)), formatCount(qint64(b.report.nodes_after)),
                            SummaryCards::tr("Nodes of the graph, those of subgraphs counted")));
    return figures;
}

}  // namespace lapidary::views

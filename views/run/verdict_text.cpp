// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/verdict_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <set>
#include <unordered_map>

#include <lapidary/base/quantity_text.h>
#include <lapidary/profile/slowest_node.h>
#include <lapidary/proof/choose_compute.h>

#include "run/counter_text.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_name = 100;  // of a node within a sentence

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Verdict)
};

QString rate(double billions) { return QLocale().toString(billions, 'f', billions < 10 ? 1 : 0); }

/// "the slowest node is conv1 (12 %)"; `wall_ms`: of the run, 0 where times are no run's.
QString slowestText(const NodeTotal& slowest, double wall_ms) {
    const QString name = labelText(slowest.name, longest_name),
                  share = formatRoundPercent(slowest.share);
    return wall_ms > 0 && was_held_up(slowest, wall_ms)
               ? Text::tr("the slowest node is %1 (%2; it was held up, another run took %3)")
                     .arg(name, share, formatMilliseconds(slowest.min_ms))
               : Text::tr("the slowest node is %1 (%2)").arg(name, share);
}

/// " 20 % goes to Add, the slowest node is conv1 (12 %)." or nothing. A sentence of its own, so
/// that it begins with a capital letter.
template <typename Nodes>
QString moreOf(const std::vector<OperatorTotal>& operators, const Nodes& nodes,
               double wall_ms = 0) {
    QStringList more;
    if (operators.size() > 1 && operators[1].share >= least_percent)
        more << Text::tr("%1 goes to %2")
                    .arg(formatRoundPercent(operators[1].share), operatorWords(operators[1].op));
    if (const NodeTotal* const slowest = slowest_of(nodes)) more << slowestText(*slowest, wall_ms);
    if (more.isEmpty()) return {};
    more.front().front() = more.front().front().toUpper();
    return u' ' + more.join(QStringLiteral(", ")) + u'.';
}

/// 0 where no runs were recorded.
double overheadShare(const RunTotals& whole) {
    const auto row = std::ranges::find(whole.operators, overhead_name, &OperatorTotal::op);
    return row == whole.operators.end() ? 0 : row->share;
}

/// Devices whose roofs the nodes of the operator are held against; empty: those of the processor
/// alone.
QStringList devicesOf(const std::vector<RooflinePoint>& points, const std::string& op) {
    QStringList devices;
    for (const RooflinePoint& point : points)
        if (const QString name = labelText(point.provider);
            point.op == op && !point.arithmetic.empty() && !devices.contains(name))
            devices << name;
    return devices;
}

QString reachedText(const QString& share, const OperatorTotal& op, const QStringList& devices) {
    if (devices.isEmpty())
        return op.count == 1 ? Text::tr("; it reaches %1 of this machine's peak").arg(share)
                             : Text::tr("; they reach %1 of this machine's peak").arg(share);
    const QString where = devices.join(QStringLiteral(", "));
    return op.count == 1 ? Text::tr("; it reaches %1 of the peak of %2").arg(share, where)
                         : Text::tr("; they reach %1 of the peak of %2").arg(share, where);
}

/// "398 of 412 nodes, 96 % of the arithmetic, on cuda".
QString providerShare(const app::RunRecord& run, const std::string& provider,
                      const std::unordered_map<NodeId, double>& flop, double all) {
    qint64 nodes = 0;
    double there = 0;
    for (const NodePlacement& placed : run.placement.nodes) {
        if (placed.provider != provider) continue;
        ++nodes;
        if (const auto at = flop.find(placed.node); at != flop.end()) there += at->second;
    }
    const QString count =
        Text::tr("%1 of %2 nodes")
            .arg(formatCount(nodes), formatCount(qint64(run.placement.nodes.size())));
    return all > 0 ? Text::tr("%1, %2 of the arithmetic, on %3")
                         .arg(count, formatRoundPercent(there / all), labelText(provider))
                   : Text::tr("%1 on %2").arg(count, labelText(provider));
}

/// With what copies cost; nothing where the CPU alone had work.
QString placementSentence(const app::RunRecord& run, const std::vector<RooflinePoint>& points) {
    if (run.placement.uses_cpu_alone()) return {};
    double all = 0;
    std::unordered_map<NodeId, double> flop;
    for (const RooflinePoint& point : points) {
        flop[point.node] += point.work.flop;
        all += point.work.flop;
    }
    std::set<std::string> providers;
    for (const PlacementIsland& island : run.placement.islands) providers.insert(island.provider);
    QStringList parts;
    for (const std::string& provider : providers) parts << providerShare(run, provider, flop, all);
    double copyMs = 0;
    qint64 copies = 0;
    for (const ProviderTotal& total : run.summary.providers) {
        copyMs += total.copy_ms;
        copies += total.copies;
    }
    const QString where = parts.join(QStringLiteral(", "));
    if (copies == 0) return Text::tr("%1; nothing is copied.").arg(where);
    if (copies == 1)
        return Text::tr("%1; one copy costs %2.").arg(where, formatMilliseconds(copyMs));
    return Text::tr("%1; %2 copies cost %3.")
        .arg(where, formatCount(copies), formatMilliseconds(copyMs));
}

}  // namespace

QString operatorWords(std::string_view op) { return withoutDomain(labelText(op)); }

QString peakShareText(double share, bool isAbove) {
    return isAbove ? QStringLiteral("> %1").arg(formatRoundPercent(1)) : formatPercent(share);
}

QString describePeak(const Roofs& roofs) {
    const MachinePeak& peak = roofs.machine;
    QStringList parts{Text::tr("%1 GFLOP/s").arg(rate(peak.gflops))};
    if (peak.int8_gops > 0) parts << Text::tr("%1 GOP/s with int8").arg(rate(peak.int8_gops));
    parts << Text::tr("%1 GB/s from memory").arg(rate(peak.gb_per_s));
    QStringList all{Text::tr("%1 (threads: %2)")
                        .arg(parts.join(QStringLiteral(", ")), formatCount(peak.threads))};
    for (const DevicePeak& device : roofs.devices) {
        if (!device.problem.empty()) continue;
        QStringList rates;
        for (const ArithmeticPeak& kind : device.arithmetic)
            rates << Text::tr("%1 GOP/s with %2").arg(rate(kind.gops), labelText(kind.name));
        rates << Text::tr("%1 GB/s from memory").arg(rate(device.gb_per_s));
        all << Text::tr("%1: %2").arg(labelText(device.provider), rates.join(QStringLiteral(", ")));
    }
    return all.join(QStringLiteral("; "));
}

QString precisionSentence(const LoweredPrecision& lowered) {
    if (rounds_nothing(lowered))
        return Text::tr("Nothing was rounded: no product has a float32 weight large enough.");
    QStringList roundings;
    for (const auto& [precision, provider] : lowered.by)
        roundings << Text::tr("%1 on %2").arg(labelText(precision), labelText(provider));
    const QString how = roundings.join(QStringLiteral(", "));
    if (!lowered.problem.empty())
        return Text::tr("What %1 costs is not known: the processor did not run the model (%2).")
            .arg(how, labelText(lowered.problem));
    QStringList parts;
    if (const LoweredOutput* const worst = lowered.worst()) {
        const Comparison& c = worst->comparison;
        const QString name = labelText(worst->name, longest_name);
        const auto figure = [](double value) { return QLocale().toString(value, 'g', 3); };
        if (c.elements == 0 && !c.matches)
            parts << Text::tr("%1 gives another %2 than float32 on the processor (%3)")
                         .arg(how, name, labelText(c.reason));
        else if (std::isinf(c.max_abs))
            parts << Text::tr(
                         "%1 gives NaN or infinities in %2 where float32 on the processor gives "
                         "others")
                         .arg(how, name);
        else if (c.max_abs == 0)
            parts << Text::tr("%1 gives what float32 on the processor gives").arg(how);
        else
            parts << Text::tr(
                         "%1 moves %2 by at most %3 of values up to %4, %5 dB SQNR against float32 "
                         "on the "
                         "processor")
                         .arg(how, name, figure(c.max_abs), figure(c.magnitude),
                              QLocale().toString(c.sqnr_db, 'f', 1));
    }
    if (const auto [changed, all] = lowered.answers(); all > 0)
        parts << (changed == 0 ? Text::tr("no answer changed")
                               : Text::tr("%1 of %2 answers changed")
                                     .arg(formatCount(changed), formatCount(all)));
    if (const auto [differ, all] = lowered.others(); all > 0)
        parts << Text::tr("%1: %2 of %3 elements of outputs that are no floats differ")
                     .arg(how, formatCount(differ), formatCount(all));
    return parts.isEmpty() ? QString() : parts.join(QStringLiteral("; ")) + u'.';
}

QString verdictOf(const RunDigest& digest) {
    const ProfileSummary& summary = digest.run->summary;
    if (summary.operators.empty()) return Text::tr("No kernel ran.");
    const OperatorTotal& top = summary.operators.front();
    const QString share = formatRoundPercent(top.share), wall = formatMilliseconds(summary.wall_ms),
                  count = formatCount(top.count), words = operatorWords(top.op);
    const double overhead = overheadShare(digest.whole);
    QString text =
        overhead > top.share
            ? Text::tr("%1 of %2 is session overhead, when no kernel runs; %3 goes to %4 %5")
                  .arg(formatRoundPercent(overhead), wall, share, count, words)
            : Text::tr("%1 of %2 goes to %3 %4").arg(share, wall, count, words);
    if (const auto reached = share_of_peak(digest.roofline, top.op))
        text += reachedText(formatRoundPercent(*reached), top, devicesOf(digest.roofline, top.op));
    text += u'.' + moreOf(summary.operators, summary.nodes, summary.wall_ms);
    const auto& lowered = digest.run->lowered;
    const QString precision = lowered ? precisionSentence(*lowered) : QString();
    return precision.isEmpty() ? text : text + u' ' + precision;
}

QString verdictOf(const ProfileSummary& summary) {
    if (summary.operators.empty()) return Text::tr("No kernel ran.");
    const OperatorTotal& top = summary.operators.front();
    return Text::tr("%1 of %2 goes to %3 %4")
               .arg(formatRoundPercent(top.share), formatMilliseconds(summary.wall_ms),
                    formatCount(top.count), operatorWords(top.op)) +
           u'.' + moreOf(summary.operators, summary.nodes, summary.wall_ms);
}

QString checkSentence(const app::OutputCheck& check) {
    const std::size_t wrong = check.differing();
    if (wrong == 0) return {};
    const auto first = std::ranges::find_if(check.verdicts, [](const app::CheckedOutput& output) {
        return !output.comparison.matches;
    });
    return Text::tr("✗ %1 of %n output(s) differ from what was recorded. %2: %3", nullptr,
                    int(check.verdicts.size()))
        .arg(formatCount(qint64(wrong)), labelText(first->name, longest_name),
             labelText(first->comparison.reason));
}

QString remarksOf(const RunDigest& digest) {
    const app::RunRecord& run = *digest.run;
    if (run.summary.operators.empty()) return {};
    QStringList remarks{placementSentence(run, digest.roofline)};
    if (!run.trace.empty() && digest.isStranger)
        remarks << Text::tr(
                       "Read from %1, which is of no run of the open model: none of its %2 kernels "
                       "is one of the "
                       "model's nodes. It stands here alone and is credited to nothing.")
                       .arg(labelText(run.trace, longest_name), formatCount(digest.whole.kernels));
    if (!run.profile->note.empty()) remarks << labelText(run.profile->note);
    if (run.traced && !run.match.unmatched.empty())
        remarks << Text::tr(
                       "Of the trace's kernels, %1 are nodes of the open model and %2 are not: see "
                       "Unmatched.")
                       .arg(formatCount(qint64(run.match.matched)),
                            formatCount(qint64(run.match.unmatched.size())));
    if (const auto above = std::ranges::count_if(digest.roofline, isAbovePeak); above > 0)
        remarks << Text::tr(
                       "Nodes above the measured peak: %1. Their kernels compute less than is "
                       "counted, as Winograd's method does, or something else had the processor "
                       "while its peak was measured; the next start of Lapidary measures it anew.")
                       .arg(formatCount(qint64(above)));
    if (run.counters) remarks << missingCounters(*run.counters);
    remarks.removeAll(QString());
    return remarks.join(u' ');
}

QString verdictOf(const RunTotals& totals, std::int64_t nanoseconds) {
    const QString length = formatNanoseconds(nanoseconds);
    if (totals.operators.empty()) return Text::tr("No kernel ran in the selected %1.").arg(length);
    const OperatorTotal& top = totals.operators.front();
    return Text::tr("In the selected %1, %2 of the time in kernels goes to %3.")
               .arg(length, formatRoundPercent(top.share), operatorWords(top.op)) +
           moreOf(totals.operators, totals.nodes);
}

}  // namespace lapidary::views

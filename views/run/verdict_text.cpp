// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/verdict_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <set>
#include <unordered_map>

#include "theme/theme.h"
#include "widgets/quantity.h"
#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_name = 100;  // of a node within a sentence

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Verdict)
};

QString percent(double share) { return QStringLiteral("%1 %").arg(QLocale().toString(share * 100, 'f', 0)); }

QString rate(double billions) { return QLocale().toString(billions, 'f', billions < 10 ? 1 : 0); }

/// " 20 % goes to Add, the slowest node is conv1 (12 %)." or nothing.
template <typename Nodes>
QString moreOf(const std::vector<OperatorTotal>& operators, const Nodes& nodes) {
    QStringList more;
    if (operators.size() > 1)
        more << Text::tr("%1 goes to %2").arg(percent(operators[1].share), operatorWords(operators[1].op));
    if (!nodes.empty())
        more << Text::tr("the slowest node is %1 (%2)")
                    .arg(labelText(nodes.front().name, longest_name), percent(nodes.front().share));
    return more.isEmpty() ? QString() : u' ' + more.join(QStringLiteral(", ")) + u'.';
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
        Text::tr("%1 of %2 nodes").arg(formatCount(nodes), formatCount(qint64(run.placement.nodes.size())));
    return all > 0 ? Text::tr("%1, %2 of the arithmetic, on %3").arg(count, percent(there / all), labelText(provider))
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
    if (copies == 1) return Text::tr("%1; one copy costs %2.").arg(where, formatMilliseconds(copyMs));
    return Text::tr("%1; %2 copies cost %3.").arg(where, formatCount(copies), formatMilliseconds(copyMs));
}

}  // namespace

QString operatorWords(const std::string& op) { return withoutDomain(labelText(op)); }

QString describePeak(const MachinePeak& peak) {
    QStringList parts{Text::tr("%1 GFLOP/s").arg(rate(peak.gflops))};
    if (peak.int8_gops > 0) parts << Text::tr("%1 GOP/s with int8").arg(rate(peak.int8_gops));
    parts << Text::tr("%1 GB/s from memory").arg(rate(peak.gb_per_s));
    return Text::tr("%1 (threads: %2)").arg(parts.join(QStringLiteral(", ")), formatCount(peak.threads));
}

QString verdictOf(const RunDigest& digest) {
    const ProfileSummary& summary = digest.run->summary;
    if (summary.operators.empty()) return Text::tr("No kernel ran.");
    const OperatorTotal& top = summary.operators.front();
    QString text = Text::tr("%1 of %2 goes to %3 %4")
                       .arg(percent(top.share), formatMilliseconds(summary.median_ms), formatCount(top.count),
                            operatorWords(top.op));
    if (const auto reached = share_of_peak(digest.roofline, top.op))
        text += top.count == 1 ? Text::tr("; it reaches %1 of this machine's peak").arg(percent(*reached))
                               : Text::tr("; they reach %1 of this machine's peak").arg(percent(*reached));
    text += u'.';
    return text + moreOf(summary.operators, summary.nodes);
}

QString verdictOf(const ProfileSummary& summary) {
    if (summary.operators.empty()) return Text::tr("No kernel ran.");
    const OperatorTotal& top = summary.operators.front();
    return Text::tr("%1 of %2 goes to %3 %4")
               .arg(percent(top.share), formatMilliseconds(summary.median_ms), formatCount(top.count),
                    operatorWords(top.op)) +
           u'.' + moreOf(summary.operators, summary.nodes);
}

QString remarksOf(const RunDigest& digest) {
    const app::RunRecord& run = *digest.run;
    if (run.summary.operators.empty()) return {};
    QStringList remarks{placementSentence(run, digest.roofline)};
    if (!run.profile->note.empty()) remarks << labelText(run.profile->note);
    if (run.traced && !run.match.unmatched.empty())
        remarks << Text::tr("Of the trace's kernels, %1 are nodes of the open model and %2 are not: see Unmatched.")
                       .arg(formatCount(qint64(run.match.matched)), formatCount(qint64(run.match.unmatched.size())));
    remarks.removeAll(QString());
    return remarks.join(u' ');
}

QString verdictOf(const RunTotals& totals, std::int64_t nanoseconds) {
    const QString length = formatNanoseconds(nanoseconds);
    if (totals.operators.empty()) return Text::tr("No kernel ran in the selected %1.").arg(length);
    const OperatorTotal& top = totals.operators.front();
    return Text::tr("In the selected %1, %2 of the time in kernels goes to %3.")
               .arg(length, percent(top.share), operatorWords(top.op)) +
           moreOf(totals.operators, totals.nodes);
}

}  // namespace lapidary::views

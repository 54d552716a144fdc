// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/verdict_text.h"

#include <QCoreApplication>
#include <QLocale>

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
    text += moreOf(summary.operators, summary.nodes);
    const app::RunRecord& run = *digest.run;
    if (!run.profile->note.empty()) text += u' ' + labelText(run.profile->note);
    if (run.traced && !run.match.unmatched.empty())
        text +=
            u' ' + Text::tr("Of the trace's kernels, %1 are nodes of the open model and %2 are not: see Unmatched.")
                       .arg(formatCount(qint64(run.match.matched)), formatCount(qint64(run.match.unmatched.size())));
    return text;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/counter_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr int allowed_restriction = 2;  // of kernel.perf_event_paranoid

struct CounterText {
    Q_DECLARE_TR_FUNCTIONS(Counters)
};

QString figureWith(double value, int digits) { return QLocale().toString(value, 'f', digits); }

QString eventsText(const RunCounters& counters) {
    switch (counters.events) {
    case CounterAccess::forbidden:
        return counters.restriction.value_or(0) > allowed_restriction
                   ? CounterText::tr(
                         "No hardware counters: the system forbids them "
                         "(kernel.perf_event_paranoid is %1, at most %2 allows them).")
                         .arg(*counters.restriction)
                         .arg(allowed_restriction)
                   : CounterText::tr(
                         "No hardware counters: the system forbids them, as containers do.");
    case CounterAccess::absent:
        return CounterText::tr(
            "No hardware counters: this machine shows none, as most virtual machines.");
    case CounterAccess::too_many_threads:
        return CounterText::tr(
            "No hardware counters: the process has too many threads for its "
            "limit of open files.");
    case CounterAccess::counted: break;
    }
    QStringList lines{CounterText::tr("%1 instructions per cycle, all threads in all profiled runs")
                          .arg(figureWith(counters.instructions_per_cycle(), 2))};
    if (const auto share = counters.frontend_share())
        lines << CounterText::tr("%1 of the cycles waited for instructions")
                     .arg(formatPercent(*share));
    if (const auto rate = counters.memory_gb_per_s())
        lines << CounterText::tr("%1 misses of the last cache in a run, %2 GB/s from memory")
                     .arg(formatCount(qint64(*counters.cache_misses / counters.runs)),
                          figureWith(*rate, 2));
    return lines.join(u'\n');
}

QString frequencyText(const RunCounters& counters) {
    QString text = counters.ghz <= 0 ? CounterText::tr("Frequency: not known")
                   : counters.highest_ghz > 0
                       ? CounterText::tr("Frequency: %1 of %2 GHz")
                             .arg(figureWith(counters.ghz, 2), figureWith(counters.highest_ghz, 2))
                       : CounterText::tr("Frequency: %1 GHz").arg(figureWith(counters.ghz, 2));
    if (!counters.throttled) return text;
    text += u'\n';
    return text + (*counters.throttled > 0 ? CounterText::tr("Slowed down by heat, times: %1")
                                                 .arg(formatCount(qint64(*counters.throttled)))
                                           : CounterText::tr("Not slowed down by heat"));
}

QString energyText(const RunCounters& counters) {
    if (const auto joules = counters.joules_per_run())
        return CounterText::tr("Energy: %1 J in a run, of the whole processor")
            .arg(QLocale().toString(*joules, 'g', 3));
    return counters.energy == CounterAccess::forbidden
               ? CounterText::tr("Energy: only an administrator may read the meter.")
               : CounterText::tr("Energy: the system shows no meter.");
}

}  // namespace

QString counterFigure(const RunCounters& counters) {
    return counters.events == CounterAccess::counted
               ? figureWith(counters.instructions_per_cycle(), 2)
               : QStringLiteral("–");
}

QString missingCounters(const RunCounters& counters) {
    return counters.events == CounterAccess::counted ? QString() : eventsText(counters);
}

QString counterLines(const RunCounters& counters) {
    return QStringList{eventsText(counters), frequencyText(counters), energyText(counters)}.join(
        u'\n');
}

}  // namespace lapidary::views

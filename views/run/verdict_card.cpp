// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/verdict_card.h"

#include <QDateTime>
#include <QEvent>
#include <QLocale>
#include <QVBoxLayout>

#include "models/rows_model.h"
#include "run/counter_text.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/choices/machine_button.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project_state.h"

namespace lapidary::views {
namespace {

/// The processor of "Cortex-A76 (pi@board)" as the figure, its host as the label.
void addMachine(FigureRow& figures, const std::string& machine) {
    const QString whole = exactText(machine);
    const qsizetype at = whole.lastIndexOf(QStringLiteral(" ("));
    const bool hasBoth = at > 0 && whole.endsWith(u')');
    figures.add(
        labelText(hasBoth ? whole.left(at) : whole),
        hasBoth ? shortMachineName(whole.mid(at + 2).chopped(1)) : VerdictCard::tr("machine"),
        VerdictCard::tr("The target it ran on") + u'\n' + tipText(machine));
}

}  // namespace

VerdictCard::VerdictCard(QWidget* parent)
    : QFrame(parent), check_(new QLabel), verdict_(new QLabel), remarks_(new QLabel),
      figures_(new FigureRow(22)) {
    setObjectName(QStringLiteral("verdictCard"));
    for (QLabel* label : {check_, verdict_}) label->setFont(scaledFont(1.15, true));
    check_->setObjectName(QStringLiteral("runCheck"));
    check_->setAccessibleName(tr("Outputs against recorded ones"));
    check_->hide();
    for (QLabel* label : {check_, verdict_, remarks_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    remarks_->setForegroundRole(QPalette::PlaceholderText);
    remarks_->setObjectName(QStringLiteral("runRemarks"));
    remarks_->setAccessibleName(tr("What goes with it"));
    remarks_->hide();
    verdict_->setObjectName(QStringLiteral("runVerdict"));
    verdict_->setAccessibleName(tr("Verdict"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 10, 20, 10);
    layout->setSpacing(6);
    layout->addWidget(check_);
    layout->addWidget(verdict_);
    layout->addWidget(remarks_);
    layout->addWidget(figures_);
}

/// Time of the day it was measured at, here; of another day with its date.
QString VerdictCard::measuredText(const app::RunFigures& figures, bool isOlder) {
    if (!isOlder) return tr("unprofiled");
    const QDateTime then = QDateTime::fromString(figures.date, Qt::ISODate).toLocalTime();
    const bool isToday = then.date() == QDate::currentDate();
    return tr("unprofiled, at %1")
        .arg(isToday ? QLocale().toString(then.time(), QLocale::ShortFormat)
                     : QLocale().toString(then, QLocale::ShortFormat));
}

void VerdictCard::showCheck(const QString& text) {
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColors(palette()).error);
    check_->setPalette(red);
    check_->setText(text);
    check_->setVisible(!text.isEmpty());
    update();
}

void VerdictCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) showCheck(check_->text());
    QFrame::changeEvent(event);
}

void VerdictCard::setDigest(const RunDigest& digest, const app::RunFigures* measured, bool isOlder,
                            const QString& level) {
    const Profile& profile = *digest.run->profile;
    const ProfileSummary& summary = digest.run->summary;
    showCheck(sentenceText(checkSentence(digest.run->check)));
    verdict_->setText(sentenceText(verdictOf(digest)));
    remarks_->setText(sentenceText(remarksOf(digest)));
    remarks_->setVisible(!remarks_->text().isEmpty());
    const auto& counters = digest.run->counters;
    const bool isCounted = counters && counters->events == CounterAccess::counted;
    remarks_->setToolTip(counters && !isCounted ? plainToolTip(counterLines(*counters))
                                                : QString());
    figures_->clear();
    const MedianEstimate& median = digest.median;
    const bool hasInterval = profile.runs > 1 && median.samples > 1;
    figures_->add(
        hasInterval ? formatMedian(median.median, median.low, median.high)
                    : formatMilliseconds(summary.wall_ms),
        profile.runs == 1 ? tr("one profiled run")
                          : tr("median of %1 profiled runs").arg(profile.runs),
        tr("Wall time of the typical run, profiler included: the median of all. Times, "
           "shares and totals "
           "below are of this run and add up to it. The interval allows for what "
           "another measurement would differ by: it may reach a little beyond the fastest "
           "and the slowest run."));
    if (measured)
        figures_->add(
            formatMedian(measured->median_ms, measured->low_ms, measured->high_ms),
            measuredText(*measured, isOlder),
            tr("Median of %1 runs without the profiler, as levels and variants are compared by")
                .arg(formatCount(measured->repetitions)));
    const bool isInInterval =
        hasInterval && digest.min_wall_ms >= median.low && digest.max_wall_ms <= median.high;
    if (profile.runs > 1 && !isInInterval)
        figures_->add(QStringLiteral("%1 – %2").arg(formatMilliseconds(digest.min_wall_ms),
                                                    formatMilliseconds(digest.max_wall_ms)),
                      tr("fastest – slowest"),
                      tr("Spread of the wall time over the profiled runs"));
    const double inKernels = summary.wall_ms > 0 ? summary.kernel_ms / summary.wall_ms : 0;
    figures_->add(
        formatPercent(inKernels), tr("inside kernels"),
        tr("%1 of the %2 of the typical run; the rest is the walk between kernels and the profiler "
           "itself")
            .arg(formatMilliseconds(summary.kernel_ms), formatMilliseconds(summary.wall_ms)));
    if (const auto reached = share_of_peak(digest.roofline); reached && digest.roofs)
        figures_->add(formatPercent(*reached), tr("of peak"),
                      tr("How much of the time in kernels this machine would need at its peak: %1. "
                         "Measured once; each node is compared with arithmetic or with memory, "
                         "whichever binds it.")
                          .arg(describePeak(*digest.roofs)));
    // 0 of a trace means that it does not contain the figure
    const auto bytes = [&](std::int64_t n) {
        return n > 0 || digest.run->model ? formatBytes(std::uint64_t(qMax<std::int64_t>(0, n)))
                                          : QStringLiteral("–");
    };
    figures_->add(bytes(profile.peak_bytes), tr("activations held"),
                  tr("Most bytes held for activations at once, as the run counted them; the Memory "
                     "page has the process"));
    figures_->add(bytes(profile.weight_bytes), tr("weights as stored"), tr("Bytes of constants"));
    if (isCounted)
        figures_->add(counterFigure(*counters), tr("instructions per cycle"),
                      counterLines(*counters));
    if (!digest.run->machine.empty()) addMachine(*figures_, digest.run->machine);
    if (!level.isEmpty())
        figures_->add(level, tr("level"), tr("At which it ran, with what else its recipe says"));
    figures_->add(QString::number(profile.threads), tr("threads"),
                  tr("Threads that share one operator"));
    if (!digest.sizes.empty())
        figures_->add(app::textOf(digest.sizes), tr("sizes"), tr("Of the inputs that it ran on"));
}

void VerdictCard::setRange(const RunDigest& digest, const RunTotals& totals,
                           std::int64_t nanoseconds) {
    showCheck(sentenceText(checkSentence(digest.run->check)));
    verdict_->setText(sentenceText(verdictOf(totals, nanoseconds)));
    remarks_->hide();
    figures_->clear();
    figures_->add(
        formatNanoseconds(nanoseconds), tr("selected"),
        tr("Length of the selected part of the recording; every figure here is of that part"));
    figures_->add(formatCount(totals.kernels), tr("kernels"),
                  tr("How many ran in the selected part, whole or in part"));
    figures_->add(formatMilliseconds(totals.kernel_ms), tr("inside kernels"),
                  tr("What of these kernels lies in the selected part, all threads together"));
    double busy = 0;
    for (const double share : totals.busy) busy += share;
    const int threads = qMax(digest.run->profile->threads, int(totals.busy.size()));
    figures_->add(formatPercent(threads > 0 ? busy / threads : 0), tr("threads busy"),
                  tr("Share of the selected time that the threads spent in kernels"));
}

void VerdictCard::paintEvent(QPaintEvent*) {
    paintAnswerCard(*this, check_->text().isEmpty() ? std::nullopt
                                                    : std::optional(themeColors(palette()).error));
}

}  // namespace lapidary::views

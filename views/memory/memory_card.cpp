// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_card.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "memory/memory_words.h"
#include "models/rows_model.h"
#include "widgets/cards/answer_card.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

// of a name among others in the sentence; the tool tip has it whole
constexpr qsizetype longest_unknown = 40;
constexpr std::size_t most_named = 12;

QString percent(double part, double whole) {
    return whole <= 0 ? QString() : formatPercent(std::abs(part) / whole);
}

}  // namespace

MemoryCard::MemoryCard(QWidget* parent)
    : QFrame(parent), verdict_(new QLabel), notes_(new QLabel), figures_(new FigureRow(20)) {
    setObjectName(QStringLiteral("memoryCard"));
    for (QLabel* label : {verdict_, notes_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    verdict_->setFont(scaledFont(1.15, true));
    verdict_->setAccessibleName(tr("Verdict"));
    notes_->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 10, 20, 10);
    layout->setSpacing(6);
    layout->addWidget(verdict_);
    layout->addWidget(figures_);
    layout->addWidget(notes_);
}

void MemoryCard::setPicture(const MemoryPicture& picture, const QString& conditions) {
    const MemoryReport& report = picture.report;
    verdict_->setText(sentenceText(processSentence(report.process) + u' ' + peakSentence(report)));
    figures_->clear();
    const auto color = [&](MemoryPart part) { return memoryColor(part, palette()); };
    const MemoryMoment peak =
        report.moments.empty() ? MemoryMoment{} : report.moments[report.peak_step];
    figures_->add(formatBytes(report.process.total()), tr("process"),
                  tr("What the system counts as its own while a process runs the model"));
    figures_->add(formatBytes(report.weight_bytes), tr("weights as stored"),
                  tr("Bytes of constants in the file; %1 of them are in the process")
                      .arg(formatBytes(report.process.weights)),
                  color(MemoryPart::weights));
    figures_->add(formatBytes(report.process.packed), tr("packed copies"),
                  tr("Weights in the order that kernels read them; after packing %1 of the file's "
                     "bytes are not needed "
                     "any more")
                      .arg(formatBytes(report.process.unneeded_weights)));
    figures_->add(formatBytes(report.needed_bytes), tr("activations planned"),
                  tr("The most that is in use at one step: no layout needs less"));
    figures_->add(
        formatBytes(report.block_bytes), tr("held by the arena"),
        report.assumptions.plan    ? tr("The planned block, and storage for the graph outputs")
        : report.assumptions.arena ? tr("What the arena took from the system")
                                   : tr("As much as is in use: the heap gives back what is free"));
    if (picture.measuredPeak > 0)
        figures_->add(formatBytes(std::uint64_t(picture.measuredPeak)), tr("held in the last run"),
                      tr("The most that it held for activations at once, by its allocations"),
                      themeColors(palette()).error);
    const auto addPart = [&](MemoryPart part, std::uint64_t MemoryMoment::*bytes,
                             const QString& label, const QString& tip) {
        if (std::ranges::any_of(report.moments,
                                [&](const MemoryMoment& m) { return m.*bytes != 0; }))
            figures_->add(formatBytes(peak.*bytes), label, tip, color(part));
    };
    addPart(MemoryPart::activations, &MemoryMoment::activations, tr("activations"),
            tr("Of what is planned at the peak: what nodes hand to each other"));
    addPart(MemoryPart::outputs, &MemoryMoment::outputs, tr("outputs"),
            tr("Of what is planned at the peak: what the caller gets"));
    addPart(MemoryPart::workspace, &MemoryMoment::workspace, tr("working memory"),
            tr("Of what is planned at the peak: what kernels take while they run"));
    const std::uint64_t gaps =
        report.block_bytes - std::min(report.block_bytes, report.needed_bytes);
    figures_->add(formatBytes(gaps), tr("gaps at the peak"),
                  tr("Held but not used even at the peak: gaps of the layout, rounding"),
                  color(MemoryPart::waste));

    setNotes(picture, conditions);
}

void MemoryCard::setNotes(const MemoryPicture& picture, const QString& conditions) {
    const MemoryReport& report = picture.report;
    QStringList notes{processParts(report), tr("Planned for %1.").arg(conditions)};
    // If devices took part in the run, the measured peak covers only the CPU's memory and cannot be
    // compared with this plan.
    if (picture.measuredPeak > 0 && picture.memories.empty()) {
        const double measured = double(picture.measuredPeak);
        const double planned =
            double(report.assumptions.plan ? report.block_bytes : report.needed_bytes);
        const double off = measured - planned;
        notes << (std::abs(off) <= planned * 0.005
                      ? tr("The last run held %1 for activations: as planned.")
                            .arg(formatBytes(std::uint64_t(measured)))
                      : (off > 0 ? tr("The last run held %1 for activations, %2 more than this "
                                      "plan says.")
                                 : tr("The last run held %1 for activations, %2 less than this "
                                      "plan says."))
                            .arg(formatBytes(std::uint64_t(measured)), percent(off, planned)));
    }
    if (!picture.memories.empty()) {
        std::uint64_t copied = 0;
        for (const PlannedCopy& copy : picture.copies)
            copied += copy.bytes > 0 ? std::uint64_t(copy.bytes) : 0;
        notes << tr("The last run kept values in more than one kind of memory and copied %1 "
                    "between them (copies: %2).")
                     .arg(formatBytes(copied), formatCount(qint64(picture.copies.size())));
    }
    if (!report.assumed.empty()) {
        QStringList sizes;
        for (std::size_t i = 0; i < std::min(report.assumed.size(), most_named); ++i)
            sizes << QStringLiteral("%1 = %2").arg(labelText(report.assumed[i].first),
                                                   QString::number(report.assumed[i].second));
        if (report.assumed.size() > most_named)
            sizes << tr("and %1 more").arg(report.assumed.size() - most_named);
        notes << tr("Free dimensions without a size are taken as %1.")
                     .arg(sizes.join(QStringLiteral(", ")));
    }
    QString unknownTip;
    if (!report.unknown.empty()) {
        QStringList names, brief;
        for (std::size_t i = 0; i < std::min(report.unknown.size(), most_named); ++i) {
            names << labelText(report.unknown[i]);
            brief << labelText(report.unknown[i], longest_unknown);
        }
        notes << tr("Sizes that only a run shows count as nothing here (%1): %2.")
                     .arg(report.unknown.size())
                     .arg(brief.mid(0, 3).join(QStringLiteral(", ")) +
                          (report.unknown.size() > 3 ? QStringLiteral(" …") : QString()));
        unknownTip = names.join(QLatin1Char('\n'));
    }
    notes_->setText(sentenceText(notes.join(QLatin1Char(' '))));
    notes_->setToolTip(plainToolTip(unknownTip));
    notes_->setVisible(!notes.isEmpty());
}

void MemoryCard::paintEvent(QPaintEvent*) { paintAnswerCard(*this); }

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/decoder_words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <set>

#include "generate/generate_words.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct DecoderTexts {
    Q_DECLARE_TR_FUNCTIONS(GeneratePage)
};

const app::DecoderPoint* longestOf(const app::DecoderSide& side) {
    return side.points.empty() ? nullptr : &side.points.back();
}

/// The side with most tokens per second at its longest context; of equal ones the first.
std::size_t fastestOf(const app::DecodersRecord& record) {
    std::size_t fastest = 0;
    double most = 0;
    for (std::size_t i = 0; i < record.sides.size(); ++i) {
        const app::DecoderPoint* point = longestOf(record.sides[i]);
        if (!point || point->tokens_per_second() <= most) continue;
        most = point->tokens_per_second();
        fastest = i;
    }
    return fastest;
}

/// Sides that gave up.
int failuresOf(const app::DecodersRecord& record) {
    return int(std::ranges::count_if(
        record.sides, [](const app::DecoderSide& side) { return !side.error.empty(); }));
}

QString costOf(const app::DecoderQuality& quality) {
    if (quality.changed < 0 || quality.tokens <= 0) return {};
    return DecoderTexts::tr("It costs a divergence of %1 nats; %2 of the tokens change.")
        .arg(plainNumber(quality.divergence, 3),
             formatRoundPercent(double(quality.changed) / double(quality.tokens)));
}

QString fastestSentence(const app::DecodersRecord& record, const QStringList& names) {
    if (record.sides.empty()) return {};
    const std::size_t fastest = fastestOf(record);
    const app::DecoderSide& side = record.sides[fastest];
    const app::DecoderPoint* best = longestOf(side);
    if (!best || best->token_ms <= 0) return {};
    const QString rate = rateText(best->token_ms);
    const QString context = formatCount(best->context);
    const app::DecoderPoint* first = record.sides[0].at(best->context);
    if (fastest == 0 || !first) {
        if (record.sides.size() < 2)
            return DecoderTexts::tr("%1: %2 tokens per second at %3 tokens of context.")
                .arg(names.value(qsizetype(fastest)), rate, context);
        return DecoderTexts::tr("%1 is the fastest: %2 tokens per second at %3 tokens of context.")
            .arg(names.value(qsizetype(fastest)), rate, context);
    }
    if (best->token_high_ms > 0 && best->token_high_ms >= first->token_low_ms)
        return DecoderTexts::tr(
                   "No variant is faster than %1 beyond noise: %2 tokens per second at %3 tokens "
                   "of context.")
            .arg(names.value(0), rateText(first->token_ms), context);
    const QString said =
        DecoderTexts::tr(
            "%1 is the fastest: %2 tokens per second at %3 tokens of context, %4 "
            "times as fast as %5.")
            .arg(names.value(qsizetype(fastest)), rate, context,
                 QLocale().toString(first->token_ms / best->token_ms, 'f', 2), names.value(0));
    const QString cost = side.quality ? costOf(*side.quality) : QString();
    return cost.isEmpty() ? said : QStringLiteral("%1 %2").arg(said, cost);
}

}  // namespace

QStringList sideNames(const app::DecodersRecord& record, const QStringList& variants) {
    QStringList names;
    // 0: it failed, or waits, before the number was chosen.
    std::set<int> counts;
    for (const app::DecoderSide& side : record.sides)
        if (side.threads > 0) counts.insert(side.threads);
    for (const app::DecoderSide& side : record.sides) {
        QString name = variants.value(qsizetype(side.model));
        if (side.half_caches) name = DecoderTexts::tr("%1, caches in float16").arg(name);
        if (counts.size() > 1 && side.threads > 0)
            name = DecoderTexts::tr("%1, threads: %2").arg(name).arg(side.threads);
        names << name;
    }
    return names;
}

QString failureText(const app::DecoderSide& side) {
    if (side.error.empty()) return {};
    return DecoderTexts::tr("could not run: %1").arg(labelText(side.error));
}

QString plainNumber(double value, int digits) {
    constexpr double least = 1e-4;
    const double size = std::abs(value);
    if (size > 0 && size < least)
        return QStringLiteral("< %1").arg(QLocale().toString(least, 'f', 4));
    const bool isWhole = size >= std::pow(10, digits - 1);
    return isWhole ? QLocale().toString(value, 'f', 0) : QLocale().toString(value, 'g', digits);
}

QString decoderAdvice(const app::DecoderSide& side) {
    const app::DecoderPoint* point = longestOf(side);
    return point ? adviceText(decoding_advice(point->recorded)) : QString();
}

QString decodersSentence(const app::DecodersRecord& record, const QStringList& names) {
    const QString said = fastestSentence(record, names);
    const int failures = failuresOf(record);
    if (said.isEmpty() || failures == 0) return said;
    return QStringLiteral("%1 %2").arg(
        said, DecoderTexts::tr("%n variant(s) could not run.", nullptr, failures));
}

QStringList decodersGrounds(const app::DecodersRecord& record, const QString& text) {
    std::set<int> counts;
    for (const app::DecoderSide& side : record.sides)
        if (side.error.empty() && side.threads > 0) counts.insert(side.threads);
    QStringList threads;
    for (const int count : counts) threads << QString::number(count);
    QStringList grounds{
        DecoderTexts::tr("threads: %1").arg(threads.join(QStringLiteral(", "))),
        DecoderTexts::tr("room in caches for %1 tokens").arg(formatCount(record.capacity))};
    if (!text.isEmpty() && record.text_tokens > 0)
        grounds << DecoderTexts::tr("the first %1 tokens of %2")
                       .arg(formatCount(record.text_tokens),
                            labelText(QFileInfo(text).fileName(), 60));
    return grounds;
}

}  // namespace lapidary::views

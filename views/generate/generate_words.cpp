// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/generate_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "widgets/plot/context_memory_plot.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(GeneratePage)
};
using app::GeneratedSide;
using app::GenerateRecord;
using app::TokenSample;

constexpr std::ptrdiff_t tokens_to_rate = 8;  // whose median is a rate

constexpr TokenPart token_parts[] = {
    {"products", QT_TRANSLATE_NOOP("GeneratePage", "Products"), &TokenTime::products_ms},
    {"attention", QT_TRANSLATE_NOOP("GeneratePage", "Attention"), &TokenTime::attention_ms},
    {"head", QT_TRANSLATE_NOOP("GeneratePage", "Head"), &TokenTime::head_ms},
    {"cache", QT_TRANSLATE_NOOP("GeneratePage", "Caches"), &TokenTime::cache_ms},
    {"rest", QT_TRANSLATE_NOOP("GeneratePage", "Other nodes"), &TokenTime::rest_ms},
    {"overhead", QT_TRANSLATE_NOOP("GeneratePage", "Between nodes"), &TokenTime::overhead_ms}};

const TokenSample* newestSample(const GenerateRecord& record) {
    if (record.sides.empty() || record.sides[0].samples.empty()) return nullptr;
    return &record.sides[0].samples.back();
}

/// What the newest recorded token suggests.
DecodingAdvice adviceOf(const GenerateRecord& record) {
    const TokenSample* sample = newestSample(record);
    if (!sample) return {};
    const GeneratedSide& side = record.sides[0];
    return decoding_advice({sample->context, sample->time, side.head_type, side.storage});
}

QString cachesText(const GenerateRecord& record) {
    const GeneratedSide& side = record.sides[0];
    if (side.cache_count == 0) return Words::tr("no caches: every run is given all tokens again");
    if (side.storage == CacheStorage::fixed)
        return Words::tr("caches of fixed size for %1 tokens").arg(formatCount(record.capacity));
    if (side.storage_reason.empty()) return Words::tr("growing caches");
    return Words::tr("growing caches: %1").arg(labelText(side.storage_reason));
}

}  // namespace

std::span<const TokenPart> tokenParts() { return token_parts; }

QString nameOf(const TokenPart& part) { return Words::tr(part.name); }

QColor colorOf(const TokenPart& part, const QPalette& palette) {
    const ThemeColors& colors = themeColors(palette);
    if (part.ms == &TokenTime::products_ms) return operatorColor(OperatorFamily::matrix, palette);
    if (part.ms == &TokenTime::attention_ms)
        return operatorColor(OperatorFamily::convolution, palette);
    if (part.ms == &TokenTime::head_ms)
        return operatorColor(OperatorFamily::normalization, palette);
    if (part.ms == &TokenTime::cache_ms) return operatorColor(OperatorFamily::movement, palette);
    if (part.ms == &TokenTime::rest_ms) return operatorColor(OperatorFamily::activation, palette);
    return colors.mutedText;
}

QString rateText(double milliseconds) {
    if (milliseconds <= 0) return QStringLiteral("–");
    const double rate = 1000 / milliseconds;
    return QLocale().toString(rate, 'f', rate < 100 ? 1 : 0);
}

QString generateSentence(const GenerateRecord& record) {
    if (record.sides.empty() || record.sides[0].tokens.empty()) return {};
    const GeneratedSide& side = record.sides[0];
    const double each = app::median_of(side.token_ms);
    if (each <= 0)
        return Words::tr("The first token came after %1.").arg(formatMilliseconds(side.first_ms));
    const QString first =
        Words::tr("%1 tokens per second, %2 each; the first after %3.")
            .arg(rateText(each), formatMilliseconds(each), formatMilliseconds(side.first_ms));
    if (record.sides.size() < 2) return first;
    const double other = app::median_of(record.sides[1].token_ms);
    if (other <= 0) return first;
    const QString ratio = QLocale().toString(each / other, 'f', 2);
    return Words::tr("%1 B takes %2 each, %3 times as fast.")
        .arg(first, formatMilliseconds(other), ratio);
}

QStringList generateGrounds(const GenerateRecord& record) {
    if (record.sides.empty()) return {};
    return {
        Words::tr("threads: %1").arg(record.threads),
        Words::tr("tokens in the prompt: %1").arg(formatCount(std::int64_t(record.prompt.size()))),
        cachesText(record)};
}

QString adviceText(const DecodingAdvice& advice) {
    const QString share = formatRoundPercent(advice.share);
    switch (advice.finding) {
    case DecodingFinding::none: return {};
    case DecodingFinding::head:
        return Words::tr("The head is %1 of a token and float: quantize it.").arg(share);
    case DecodingFinding::caches:
        return Words::tr(
                   "Copying caches is %1 of a token: operators that append to caches of fixed size "
                   "(GroupQueryAttention) spare it.")
            .arg(share);
    case DecodingFinding::overhead:
        return Words::tr(
                   "%1 of a token passes between the nodes, which compute little each. Levels "
                   "below all leave more of them.")
            .arg(share);
    case DecodingFinding::attention:
        return Words::tr("Attention is %1 of a token at %2 tokens of context, and grows with it.")
            .arg(share, formatCount(advice.context));
    case DecodingFinding::products:
        return Words::tr(
                   "Products with weights are %1 of a token: fewer bits a weight make them faster.")
            .arg(share);
    case DecodingFinding::nothing: break;
    }
    return Words::tr("No part of a token stands out.");
}

QString generateAdvice(const GenerateRecord& record) { return adviceText(adviceOf(record)); }

bool adviseQuantizing(const GenerateRecord& record) { return adviceOf(record).is_to_quantize(); }

QString rateSentence(const GenerateRecord& record) {
    if (record.sides.empty() || record.sides[0].token_ms.size() < 2 * tokens_to_rate) return {};
    const std::vector<double>& all = record.sides[0].token_ms;
    const double first = app::median_of({all.begin(), all.begin() + tokens_to_rate});
    const double last = app::median_of({all.end() - tokens_to_rate, all.end()});
    const auto before = std::int64_t(record.prompt.size());
    return Words::tr("Tokens per second: %1 at %2 tokens of context, %3 at %4.")
        .arg(rateText(first), formatCount(before + tokens_to_rate), rateText(last),
             formatCount(before + std::int64_t(all.size())));
}

DecoderMemory memoryOf(const GenerateRecord& record, const GeneratedSide& side) {
    DecoderMemory memory;
    memory.weight_bytes = side.weight_bytes;
    for (const TokenSample& sample : side.samples)
        memory.points.push_back({sample.context, sample.cache_bytes, sample.activation_bytes});
    if (side.cache_count == 0 || side.samples.empty()) return memory;
    const TokenSample& newest = side.samples.back();
    const std::int64_t rows =
        side.storage == CacheStorage::fixed ? record.capacity : newest.context;
    memory.cache_row_bytes = newest.cache_bytes / std::uint64_t(std::max<std::int64_t>(1, rows));
    return memory;
}

QString memorySentence(const GenerateRecord& record) {
    if (!newestSample(record)) return {};
    const GeneratedSide& side = record.sides[0];
    const DecoderMemory memory = memoryOf(record, side);
    QStringList sentences{contextMemorySum(memory, memory.points.back())};
    if (memory.cache_row_bytes > 0)
        sentences << (side.storage == CacheStorage::fixed
                          ? Words::tr("Caches of fixed size take the room for %1 tokens from the "
                                      "beginning.")
                                .arg(formatCount(record.capacity))
                          : Words::tr("Each token makes the caches %1 larger.")
                                .arg(formatBytes(memory.cache_row_bytes)));
    sentences << contextMemoryLeftOut();
    return sentences.join(u' ');
}

double meanDivergence(const GenerateRecord& record) {
    double sum = 0;
    int count = 0;
    for (const double divergence : record.divergence) {
        if (!std::isfinite(divergence)) continue;
        sum += divergence;
        ++count;
    }
    return count == 0 ? 0 : sum / count;
}

}  // namespace lapidary::views

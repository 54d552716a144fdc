// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/quantize_texts.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

#include "widgets/text/quantity.h"
#include "workbench/text/quantize_text.h"

namespace lapidary::views {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(QuantizePage)
};

constexpr double least_gain = 1.005;  // less is no gain worth a word

}  // namespace

QString nameOf(app::QuantizeMethod method) {
    switch (method) {
    case app::QuantizeMethod::automatic: return Words::tr("Automatic");
    case app::QuantizeMethod::dynamic8: return Words::tr("int8 dynamic");
    case app::QuantizeMethod::static8: return Words::tr("int8 static");
    case app::QuantizeMethod::weights8: return Words::tr("int8 weights");
    case app::QuantizeMethod::qoperator8: return Words::tr("int8 static, QLinear");
    case app::QuantizeMethod::float16: return Words::tr("float16");
    case app::QuantizeMethod::bfloat16: return Words::tr("bfloat16 weights");
    case app::QuantizeMethod::float8: return Words::tr("float8 weights");
    case app::QuantizeMethod::weights4: break;
    }
    return Words::tr("int4 weights");
}

QString tipOf(app::QuantizeMethod method) {
    switch (method) {
    case app::QuantizeMethod::automatic:
        return Words::tr("Tries dynamic and static recipes and keeps the best");
    case app::QuantizeMethod::dynamic8:
        return Words::tr(
            "Weights become 8-bit integers, ranges of activations are taken in each run; good for "
            "transformers and "
            "LSTM");
    case app::QuantizeMethod::static8:
        return Words::tr(
            "Weights and activations become 8-bit integers, with ranges from the samples; fastest "
            "for convolutions");
    case app::QuantizeMethod::weights8:
        return Words::tr(
            "Only weights become 8-bit integers in blocks, products stay float; smaller and nearly "
            "exact");
    case app::QuantizeMethod::qoperator8:
        return Words::tr(
            "As int8 static, written as QLinearConv, QLinearMatMul and QGemm in place of pairs of "
            "QuantizeLinear and DequantizeLinear");
    case app::QuantizeMethod::float16:
        return Words::tr(
            "Everything computes in float16 but nodes whose values it has no room for; half the "
            "size");
    case app::QuantizeMethod::bfloat16:
        return Words::tr(
            "Weights are stored as bfloat16, everything is computed in float32; half the size");
    case app::QuantizeMethod::float8:
        return Words::tr(
            "Weights are stored as 8-bit floats (E4M3) with a scale per channel, everything is "
            "computed "
            "in float32");
    case app::QuantizeMethod::weights4: break;
    }
    return Words::tr("Only weights become 4-bit integers in blocks, products stay float; smallest");
}

QString nameOf(app::QuantizeGoal goal) {
    switch (goal) {
    case app::QuantizeGoal::accurate: return Words::tr("Most accurate");
    case app::QuantizeGoal::fast: return Words::tr("Fastest");
    case app::QuantizeGoal::small: break;
    }
    return Words::tr("Smallest");
}

QString tipOf(app::QuantizeGoal goal) {
    switch (goal) {
    case app::QuantizeGoal::accurate:
        return Words::tr(
            "The highest SQNR among the recipes that are not slower than the float model");
    case app::QuantizeGoal::fast:
        return Words::tr("The shortest time among the recipes that reach the floor");
    case app::QuantizeGoal::small: break;
    }
    return Words::tr("The fewest bytes among the recipes that reach the floor");
}

QString nameOf(QuantizedQuality quality) {
    switch (quality) {
    case QuantizedQuality::equal: return Words::tr("equal");
    case QuantizedQuality::very_good: return Words::tr("very good");
    case QuantizedQuality::good: return Words::tr("good");
    case QuantizedQuality::visible: return Words::tr("visibly off");
    case QuantizedQuality::poor: break;
    }
    return Words::tr("poor");
}

QString decibelText(const app::QuantizeTrial& trial) {
    const QString db = formatDecibels(trial.sqnr_db);
    if (!(trial.low_db < trial.high_db)) return db;
    const auto figure = [](double end) { return QLocale().toString(end, 'f', 1); };
    return Words::tr("%1 (%2 – %3)").arg(db, figure(trial.low_db), figure(trial.high_db));
}

QString timesText(double times) {
    return Words::tr("%1×").arg(
        QLocale().toString(times, 'f', times < 9.95 ? times < 1.095 ? 2 : 1 : 0));
}

/// "71.0 % (64.4 – 76.8)": with its interval.
QString shareText(const ShareEstimate& share) {
    const auto figure = [](double part) { return QLocale().toString(100 * part, 'f', 1); };
    return Words::tr("%1 % (%2 – %3)")
        .arg(figure(share.share), figure(share.low), figure(share.high));
}

QString timeText(const MedianEstimate& ms) { return formatMedian(ms.median, ms.low, ms.high); }

QString speedText(const app::QuantizeTrial& trial) {
    if (!trial.ratio || !(trial.ratio->median > 0)) return {};
    if (trial.is_faster()) return Words::tr("%1 faster").arg(timesText(1 / trial.ratio->median));
    if (trial.is_slower()) return Words::tr("%1 slower").arg(timesText(trial.ratio->median));
    return Words::tr("no faster beyond noise");
}

QStringList figureLines(const app::QuantizeTrial& trial, std::uint64_t originalBytes) {
    QStringList lines{app::nameOf(trial.options),
                      std::isinf(trial.sqnr_db) && trial.sqnr_db > 0
                          ? Words::tr("outputs equal")
                          : Words::tr("SQNR %1").arg(decibelText(trial))};
    if (trial.rows > 0)
        lines << Words::tr("%1 of %2 answers changed: %3")
                     .arg(QLocale().toString(quint64(trial.flips)),
                          QLocale().toString(quint64(trial.rows)),
                          shareText(share_of(trial.flips, trial.rows)));
    lines << (originalBytes > 0
                  ? Words::tr("%1, %2 of the float model")
                        .arg(formatBytes(trial.bytes),
                             formatPercent(double(trial.bytes) / double(originalBytes)))
                  : formatBytes(trial.bytes));
    if (trial.ms) lines << timeText(*trial.ms);
    if (const QString speed = speedText(trial); !speed.isEmpty()) lines << speed;
    return lines;
}

QString verdictOf(const app::QuantizeRecord& record) {
    if (record.best < 0) return {};
    const app::QuantizeTrial& best = record.trials[std::size_t(record.best)];
    QStringList parts;
    const double smaller = best.bytes > 0 ? double(record.original_bytes) / double(best.bytes) : 1;
    parts << (smaller >= least_gain ? Words::tr("%1 smaller").arg(timesText(smaller))
                                    : Words::tr("no smaller"));
    if (const QString speed = speedText(best); !speed.isEmpty()) parts << speed;
    parts << (std::isinf(best.sqnr_db) && best.sqnr_db > 0
                  ? Words::tr("outputs equal")
                  : Words::tr("SQNR %1, %2")
                        .arg(decibelText(best), nameOf(quality_of(best.sqnr_db))));
    if (best.rows > 0)
        parts << Words::tr("%1 of %2 answers changed: %3")
                     .arg(QLocale().toString(quint64(best.flips)),
                          QLocale().toString(quint64(best.rows)),
                          shareText(share_of(best.flips, best.rows)));
    if (record.labelled && record.labelled->rows > 0) {
        const auto share = [&](std::uint64_t right) {
            return shareText(share_of(right, record.labelled->rows));
        };
        parts << Words::tr("right answers %1 → %2")
                     .arg(share(record.labelled->original), share(record.labelled->quantized));
    }
    const QString joined = parts.join(QStringLiteral(", "));
    const QString sentence = record.usable ? joined : Words::tr("not fit for use: %1").arg(joined);
    const QString count = QLocale().toString(quint64(record.evaluation_samples));
    if (record.evaluation_samples == 1)
        return record.generated ? Words::tr("%1 on 1 generated sample").arg(sentence)
                                : Words::tr("%1 on 1 sample").arg(sentence);
    return record.generated ? Words::tr("%1 on %2 generated samples").arg(sentence, count)
                            : Words::tr("%1 on %2 samples").arg(sentence, count);
}

QuantizeReport reportOf(const app::QuantizeRecord& record, const QString& title) {
    QuantizeReport report;
    report.title = title.toStdString();
    report.sentence = verdictOf(record).toStdString();
    if (record.best >= 0)
        report.recipe = app::nameOf(record.trials[std::size_t(record.best)].options).toStdString();
    for (std::size_t i = 0; i < record.trials.size(); ++i) {
        const app::QuantizeTrial& trial = record.trials[i];
        report.recipes.push_back({app::nameOf(trial.options).toStdString(),
                                  speedText(trial).toStdString(), trial.sqnr_db, trial.bytes,
                                  trial.ms ? std::optional(trial.ms->median) : std::nullopt,
                                  trial.failure, record.best == std::ptrdiff_t(i)});
    }
    report.outputs = record.outputs;
    report.layers = record.layers;
    report.ranges = record.ranges;
    report.nodes = record.nodes;
    report.sensitivity = record.sensitivity;
    report.notes = record.warnings;
    report.notes.insert(report.notes.end(), record.notes.begin(), record.notes.end());
    return report;
}

QString whyNotMostAccurate(const app::QuantizeRecord& record, app::QuantizeGoal goal) {
    const bool isChosenByGoal =
        goal == app::QuantizeGoal::accurate && record.best >= 0 &&
        record.best == app::best_trial(record.trials, goal, {}, record.original_bytes);
    if (!isChosenByGoal) return {};
    const app::QuantizeTrial& best = record.trials[std::size_t(record.best)];
    const app::QuantizeTrial* top = &best;
    for (const app::QuantizeTrial& trial : record.trials)
        if (trial.failure.empty() && trial.sqnr_db > top->sqnr_db) top = &trial;
    if (top == &best) return {};
    const QString reason =
        top->is_slower() && !best.is_slower() ? Words::tr("it is slower than the float model")
        : is_hardly_smaller({.bytes = top->bytes, .original_bytes = record.original_bytes})
            ? Words::tr("it saves nothing")
            : Words::tr("it is larger, and the samples do not tell the two apart");
    return Words::tr("%1 has SQNR %2, but %3.")
        .arg(app::nameOf(top->options), decibelText(*top), reason);
}

QStringList groundsOf(const app::QuantizeRecord& record) {
    if (record.best < 0) return {};
    const app::QuantizeTrial& best = record.trials[std::size_t(record.best)];
    QStringList lines{Words::tr("Recipe: %1").arg(app::nameOf(best.options))};
    lines << Words::tr("%1 of %n node(s) quantized", nullptr, int(record.nodes.size()))
                 .arg(best.nodes);
    lines << Words::tr("constants in the file %1 → %2")
                 .arg(formatBytes(record.original_bytes), formatBytes(best.bytes));
    if (best.ms && record.original_ms)
        lines
            << Words::tr("%1 → %2 per run").arg(timeText(*record.original_ms), timeText(*best.ms));
    if (record.calibration_samples != record.evaluation_samples || record.calibration_samples > 1)
        lines << (record.calibration_samples == 1
                      ? Words::tr("1 sample gave ranges, %1 others judged")
                            .arg(record.evaluation_samples)
                      : Words::tr("%1 samples gave ranges, %2 others judged")
                            .arg(record.calibration_samples)
                            .arg(record.evaluation_samples));
    if (best.splits > 1) lines << Words::tr("SQNR is the mean of %1 such splits").arg(best.splits);
    return lines;
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/quantize_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include "workbench/text/bounded_text.h"
#include "workbench/text/shell_word.h"

namespace lapidary::app {
namespace {

QString said(const char* text) { return QCoreApplication::translate("Quantize", text); }
QString number(double value) { return QString::number(value, 'g', 12); }

}  // namespace

QString nameOfMode(const QuantizeOptions& options) {
    switch (options.mode) {
    case QuantizeMode::dynamic: return QCoreApplication::translate("Quantize", "int8 dynamic");
    case QuantizeMode::static_qdq:
        return is_packed(options.weight) ? QCoreApplication::translate("Quantize", "int4 static")
                                         : QCoreApplication::translate("Quantize", "int8 static");
    case QuantizeMode::half: return QCoreApplication::translate("Quantize", "float16");
    case QuantizeMode::weights: break;
    }
    if (options.storage == WeightStorage::bfloat16)
        return QCoreApplication::translate("Quantize", "bfloat16 weights");
    if (options.storage == WeightStorage::float8)
        return QCoreApplication::translate("Quantize", "float8 weights");
    return QCoreApplication::translate("Quantize", "int%1 weights").arg(options.weight_bits);
}

namespace {

QStringList staticParts(const QuantizeOptions& options) {
    QStringList parts;
    if (options.range == RangeMethod::minmax)
        parts << QCoreApplication::translate("Quantize", "whole ranges");
    if (options.range == RangeMethod::percentile)
        parts << QCoreApplication::translate("Quantize", "ranges by percentile");
    if (options.range == RangeMethod::entropy)
        parts << QCoreApplication::translate("Quantize", "ranges by entropy");
    if (options.range_headroom > 0)
        parts << QCoreApplication::translate("Quantize", "ranges %1 % wider")
                     .arg(QLocale().toString(options.range_headroom * 100, 'g', 3));
    if (options.static_form == StaticForm::operators)
        parts << QCoreApplication::translate("Quantize", "QLinear operators");
    if (options.placement == StaticPlacement::onnxruntime)
        parts << QCoreApplication::translate("Quantize", "placed as by ONNX Runtime");
    if (options.weight == DType::u8 || options.weight == DType::u4)
        parts << QCoreApplication::translate("Quantize", "unsigned weights");
    return parts;
}

/// Options for some nodes only: the first node by its name, or their number.
QStringList nodeParts(const QuantizeOptions& options) {
    QStringList parts;
    const auto add = [&parts](const std::vector<std::string>& entries, const QString& one,
                              const QString& several) {
        if (entries.size() == 1) parts << one.arg(labelText(entries.front(), 40));
        else if (!entries.empty()) parts << several.arg(entries.size());
    };
    add(options.keep_float, QCoreApplication::translate("Quantize", "%1 float"),
        QCoreApplication::translate("Quantize", "%1 kept float"));
    add(options.weights_alone, QCoreApplication::translate("Quantize", "weights of %1 alone"),
        QCoreApplication::translate("Quantize", "%1 with weights alone"));
    add(options.weights_of, QCoreApplication::translate("Quantize", "weights %1"),
        QCoreApplication::translate("Quantize", "%1 types of weights"));
    return parts;
}

}  // namespace

QString improvementsOf(const QuantizeOptions& options) {
    QStringList parts;
    if (options.mode == QuantizeMode::static_qdq) parts << staticParts(options);
    if (options.mode == QuantizeMode::weights && options.symmetric_blocks)
        parts << QCoreApplication::translate("Quantize", "symmetric blocks");
    if (options.mode == QuantizeMode::weights && options.fitted_blocks)
        parts << QCoreApplication::translate("Quantize", "fitted blocks");
    if (options.mode == QuantizeMode::weights && options.rotation > 0)
        parts << QCoreApplication::translate("Quantize", "rotated");
    if (options.mode == QuantizeMode::weights && options.bits_per_weight > 0)
        parts << QCoreApplication::translate("Quantize", "at most %1 bits a weight")
                     .arg(QLocale().toString(options.bits_per_weight, 'g', 3));
    if (options.mode == QuantizeMode::dynamic && options.symmetric_weight)
        parts << QCoreApplication::translate("Quantize", "no zero points of weights");
    if (!options.per_channel)
        parts << QCoreApplication::translate("Quantize", "one scale per weight");
    if (options.reduced_range) parts << QCoreApplication::translate("Quantize", "7-bit weights");
    if (options.equalize) parts << QCoreApplication::translate("Quantize", "equalized");
    if (options.smoothing_by_input)
        parts << QCoreApplication::translate("Quantize", "smoothed by input");
    if (options.smoothing > 0)
        parts << QCoreApplication::translate("Quantize", "smoothed %1")
                     .arg(QLocale().toString(options.smoothing, 'g', 3));
    if (options.compensated_rounding)
        parts << QCoreApplication::translate("Quantize", "compensated");
    parts << nodeParts(options);
    if (!options.bound_masks) parts << QCoreApplication::translate("Quantize", "masks as they are");
    return parts.isEmpty() ? said(QT_TRANSLATE_NOOP("Quantize", "plain"))
                           : parts.join(QStringLiteral(", "));
}

QString nameOf(const QuantizeOptions& options) {
    const QuantizeOptions plain{
        .mode = options.mode, .storage = options.storage, .weight_bits = options.weight_bits};
    const QString mode = nameOfMode(options), improvements = improvementsOf(options);
    return improvements == improvementsOf(plain) ? mode
                                                 : QStringLiteral("%1, %2").arg(mode, improvements);
}

QString wordOf(const QuantizeOptions& options) {
    if (options.mode != QuantizeMode::weights) return exactText(name_of(options.mode));
    if (options.storage == WeightStorage::float8) return QStringLiteral("fp8");
    if (options.storage == WeightStorage::bfloat16) return QStringLiteral("bf16");
    return QStringLiteral("weights%1").arg(options.weight_bits);
}

namespace {

/// The command line's name of a type: "s8" for i8.
QString typeWord(DType dtype) { return exactText(name_of(dtype)).replace(u'i', u's'); }

/// "-1,0.5,2" for values per channel.
QString channelWord(const std::array<float, 3>& values) {
    return QStringLiteral("%1,%2,%3").arg(number(values[0]), number(values[1]), number(values[2]));
}

/// The options that convert pixels to numbers.
QStringList imageWords(const ImageOptions& images) {
    const ImageOptions plain;
    QStringList words;
    if (images.mean != plain.mean)
        words << QStringLiteral("--mean=%1").arg(channelWord(images.mean));
    if (images.stddev != plain.stddev)
        words << QStringLiteral("--std=%1").arg(channelWord(images.stddev));
    const bool isScaled = images.mean != plain.mean || images.stddev != plain.stddev;
    if (images.scale_chosen && !isScaled) words << QStringLiteral("--std=1");
    if (images.bgr) words << QStringLiteral("--bgr");
    if (images.crop > 0) words << QStringLiteral("--crop") << number(images.crop);
    if (images.array_layout)
        words << QStringLiteral("--layout")
              << (*images.array_layout == ImageOptions::Layout::nhwc ? QStringLiteral("nhwc")
                                                                     : QStringLiteral("nchw"));
    return words;
}

/// The options that choose samples.
QStringList sampleWords(const SampleChoice& samples) {
    const SampleChoice plain;
    QStringList words;
    if (samples.isGenerated()) {
        if (samples.generated != plain.generated)
            words << QStringLiteral("--generate") << QString::number(quint64(samples.generated));
        if (samples.seed != plain.seed)
            words << QStringLiteral("--seed") << QString::number(quint64(samples.seed));
        return words;
    }
    words << QStringLiteral("--data") << exactText(samples.data.string())
          << imageWords(samples.images);
    if (samples.text.vocabulary.empty()) return words;
    words << QStringLiteral("--vocabulary") << exactText(samples.text.vocabulary.string());
    if (samples.text.most_tokens != plain.text.most_tokens)
        words << QStringLiteral("--tokens") << QString::number(samples.text.most_tokens);
    return words;
}

}  // namespace

QStringList quantizeWords(const Quantization& quantization, const QString& model,
                          const QString& output) {
    const QuantizeOptions& o = quantization.options;
    const QuantizeOptions usual;
    QStringList words{QStringLiteral("lapidary-cli"),
                      QStringLiteral("quantize"),
                      model,
                      QStringLiteral("-o"),
                      output,
                      QStringLiteral("--mode")};
    words << wordOf(o);
    const auto flag = [&](bool on, const char* name) {
        if (on) words << QLatin1String(name);
    };
    flag(!o.per_channel, "--per-tensor");
    flag(o.reduced_range, "--safe-without-vnni");
    flag(o.fused_operators, "--fused");
    flag(o.symmetric_activation, "--symmetric-act");
    flag(o.symmetric_weight, "--symmetric-weights");
    if (o.mode == QuantizeMode::weights) {
        if (o.block != usual.block) words << QStringLiteral("--block") << QString::number(o.block);
        flag(o.symmetric_blocks, "--symmetric-blocks");
        if (o.block_form == BlockForm::dequantize)
            words << QStringLiteral("--block-form") << QStringLiteral("dequantize");
        flag(o.fitted_blocks, "--fit-blocks");
        if (o.bits_per_weight > 0) words << QStringLiteral("--bits") << number(o.bits_per_weight);
    }
    if (o.activation != usual.activation)
        words << QStringLiteral("--act") << typeWord(o.activation);
    if (o.weight != usual.weight) words << QStringLiteral("--weights") << typeWord(o.weight);
    if (o.static_form != usual.static_form)
        words << QStringLiteral("--format") << exactText(name_of(o.static_form));
    if (o.placement != usual.placement)
        words << QStringLiteral("--placement") << exactText(name_of(o.placement));
    if (o.range != usual.range) words << QStringLiteral("--range") << exactText(name_of(o.range));
    if (o.percentile != usual.percentile)
        words << QStringLiteral("--percentile") << number(o.percentile);
    if (o.range_headroom > 0) words << QStringLiteral("--headroom") << number(o.range_headroom);
    flag(o.equalize, "--equalize");
    if (o.smoothing_by_input) words << QStringLiteral("--smooth") << QStringLiteral("auto");
    if (o.smoothing > 0) words << QStringLiteral("--smooth") << number(o.smoothing);
    if (o.rotation > 0)
        words << QStringLiteral("--rotate")
              << (o.rotation == 1 ? QStringLiteral("hadamard")
                                  : QStringLiteral("hadamard:%1").arg(o.rotation));
    flag(o.compensated_rounding, "--compensate");
    flag(!o.bias_correction, "--no-bias-correction");
    flag(!o.bound_masks, "--keep-masks");
    for (const std::string& pattern : o.keep_float)
        words << QStringLiteral("--keep-float") << exactText(pattern);
    for (const std::string& entry : o.weights_of)
        words << QStringLiteral("--weights-of") << exactText(entry);
    for (const std::string& pattern : o.weights_alone)
        words << QStringLiteral("--weights-alone") << exactText(pattern);
    words << sampleWords(quantization.samples);
    return words;
}

QString quantizeCommand(const ModelSource& model, const Quantization& quantization,
                        const std::filesystem::path& labels, double budgetSeconds) {
    if (!model.in_other_process()) return {};
    const QString name = model.sample.empty() ? exactText(model.file.string())
                                              : QStringLiteral("sample:") + exactText(model.sample);
    QStringList words = quantizeWords(
        quantization, name, QFileInfo(name).completeBaseName() + QStringLiteral(".quantized.onnx"));
    if (!labels.empty()) words << QStringLiteral("--labels") << exactText(labels.string());
    words << QStringLiteral("--search") << QStringLiteral("--budget") << number(budgetSeconds);
    for (QString& word : words) word = shellWord(word);
    return words.join(u' ');
}

}  // namespace lapidary::app

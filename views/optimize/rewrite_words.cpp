// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/rewrite_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>
#include <utility>

#include "theme/theme.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

/// The first line whose text begins a pass's name says its kind: longer beginnings stand before
/// shorter ones.
constexpr std::pair<std::string_view, RewriteKind> kinds[] = {
    {"fuse_attention", RewriteKind::attention},
    {"fuse_multi_head_attention", RewriteKind::attention},
    {"fuse_rotary_attention", RewriteKind::attention},
    {"fuse_dot_product_attention", RewriteKind::attention},
    {"fuse_skip_", RewriteKind::residualNorm},
    {"fuse_layer_norm", RewriteKind::norm},
    {"fuse_rms_norm", RewriteKind::norm},
    {"fuse_embed_layer_norm", RewriteKind::embedding},
    {"fuse_gelu", RewriteKind::activation},
    {"fuse_onnx_gelu", RewriteKind::activation},
    {"fuse_fast_gelu", RewriteKind::activation},
    {"fuse_bias_gelu", RewriteKind::activation},
    {"fuse_quick_gelu", RewriteKind::activation},
    {"approximate_gelu", RewriteKind::activation},
    {"fuse_hard_swish", RewriteKind::activation},
    {"fuse_mish", RewriteKind::activation},
    {"fuse_relu_clip", RewriteKind::activation},
    {"fuse_bias_softmax", RewriteKind::activation},
    {"fuse_conv_add_activation", RewriteKind::takenIn},
    {"fuse_conv_activation", RewriteKind::takenIn},
    {"fuse_gemm", RewriteKind::takenIn},
    {"fuse_matmul_add", RewriteKind::takenIn},
    {"fuse_matmul_scale", RewriteKind::takenIn},
    {"fuse_matmul_transpose", RewriteKind::takenIn},
    {"fuse_matmul_activation", RewriteKind::takenIn},
    {"fuse_product_epilogue", RewriteKind::takenIn},
    {"merge_projections", RewriteKind::takenIn},
    {"fuse_pad_batch_norm", RewriteKind::foldedScale},
    {"fuse_pad", RewriteKind::takenIn},
    {"fuse_conv", RewriteKind::foldedScale},
    {"fuse_batch_norm_conv", RewriteKind::foldedScale},
    {"fuse_matmul_batch_norm", RewriteKind::foldedScale},
    {"fold_scale_into_conv", RewriteKind::foldedScale},
    {"fuse_quantized", RewriteKind::quantized},
    {"fuse_dynamic_quantize", RewriteKind::quantized},
    {"fuse_integer", RewriteKind::quantized},
    {"fuse_matmul_integer", RewriteKind::quantized},
    {"fuse_matmul_nbits", RewriteKind::quantized},
    {"eliminate_qdq", RewriteKind::quantized},
    {"eliminate_dequantize", RewriteKind::quantized},
    {"quantize_", RewriteKind::quantized},
    {"convert_quantization", RewriteKind::quantized},
    {"convert_weights", RewriteKind::quantized},
    {"block_channels", RewriteKind::layout},
    {"move_half_channels_last", RewriteKind::layout},
    {"convert_quantized_to_nhwc", RewriteKind::layout},
    {"fold_unsqueeze", RewriteKind::movement},
    {"fold_", RewriteKind::constant},
    {"share_constants", RewriteKind::constant},
    {"lift_constants", RewriteKind::constant},
    {"merge_constant", RewriteKind::constant},
    {"fuse_matmul_constants", RewriteKind::constant},
    {"merge_reshapes", RewriteKind::movement},
    {"merge_transposes", RewriteKind::movement},
    {"merge_slices", RewriteKind::movement},
    {"merge_pads", RewriteKind::movement},
    {"merge_concats", RewriteKind::movement},
    {"merge_shape_selections", RewriteKind::movement},
    {"move_", RewriteKind::movement},
    {"fuse_selections_to_split", RewriteKind::movement},
    {"fuse_gather_range", RewriteKind::movement},
    {"unflatten_gemm", RewriteKind::movement},
    {"eliminate_no_op_movement", RewriteKind::movement},
    {"eliminate_", RewriteKind::idle},
    {"merge_duplicates", RewriteKind::idle},
    {"merge_", RewriteKind::idle},
    {"prune_unused_inputs", RewriteKind::idle},
    {"edit", RewriteKind::edit},
    {"user:", RewriteKind::rule},
};

struct Words {
    const char *one, *many;  // many: %1 is how many
};

constexpr std::array<Words, rewrite_kinds> words{{
    {QT_TRANSLATE_NOOP("RewriteWords", "1 attention block fused"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 attention blocks fused")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 residual norm fused"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 residual norms fused")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 normalization fused"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 normalizations fused")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 activation fused"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 activations fused")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 embedding fused"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 embeddings fused")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 scale or batch norm folded into weights"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 scales and batch norms folded into weights")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 activation or sum taken into its product"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 activations and sums taken into products")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 quantized operator made"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 quantized operators made")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 change of layout"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 changes of layout")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 constant folded"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 constants folded")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 reshape or transpose merged"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 reshapes and transposes merged")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 idle node removed"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 idle nodes removed")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 edit"), QT_TRANSLATE_NOOP("RewriteWords", "%1 edits")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 rewrite by your rules"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 rewrites by your rules")},
    {QT_TRANSLATE_NOOP("RewriteWords", "1 other rewrite"),
     QT_TRANSLATE_NOOP("RewriteWords", "%1 other rewrites")},
}};

OperatorFamily familyOf(RewriteKind kind) {
    switch (kind) {
    case RewriteKind::attention: return OperatorFamily::matrix;
    case RewriteKind::residualNorm: return OperatorFamily::recurrent;
    case RewriteKind::norm: return OperatorFamily::normalization;
    case RewriteKind::activation: return OperatorFamily::activation;
    case RewriteKind::embedding: return OperatorFamily::reduction;
    case RewriteKind::foldedScale: return OperatorFamily::convolution;
    case RewriteKind::takenIn: return OperatorFamily::arithmetic;
    case RewriteKind::quantized: return OperatorFamily::quantization;
    case RewriteKind::layout:
    case RewriteKind::edit:
    case RewriteKind::rule: return OperatorFamily::control;
    default: return OperatorFamily::movement;
    }
}

}  // namespace

RewriteKind kindOf(std::string_view pass) {
    for (const auto& [beginning, kind] : kinds)
        if (pass.starts_with(beginning)) return kind;
    return RewriteKind::other;
}

QString wordsFor(RewriteKind kind, std::size_t count) {
    const Words& of = words[std::size_t(kind)];
    if (count == 1) return QCoreApplication::translate("RewriteWords", of.one);
    return QCoreApplication::translate("RewriteWords", of.many).arg(formatCount(qint64(count)));
}

QString headlineOf(std::span<const AppliedRewrite> rewrites, std::size_t most) {
    std::array<std::size_t, rewrite_kinds> counts{};
    for (const AppliedRewrite& applied : rewrites)
        ++counts[std::size_t(kindOf(applied.rewrite.pass))];
    QStringList parts;
    std::size_t others = std::exchange(counts.back(), 0);
    for (std::size_t kind = 0; kind + 1 < rewrite_kinds; ++kind) {
        if (counts[kind] == 0) continue;
        if (std::size_t(parts.size()) < most) parts << wordsFor(RewriteKind(kind), counts[kind]);
        else others += counts[kind];
    }
    if (others > 0) parts << wordsFor(RewriteKind::other, others);
    return parts.join(QStringLiteral(", "));
}

QColor colorOf(RewriteKind kind, const QPalette& palette) {
    return operatorColor(familyOf(kind), palette);
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/core_phrases.h"

#include <QtGlobal>

namespace lapidary::app {
namespace {

// ExportTargetInfo, notes of exports, and why a model is no decoder (why_no_decoder()).
const CorePhrase targetTexts[] = {
    {"^Fused operators of ONNX Runtime, no layout of one CPU\\.$",
     QT_TRANSLATE_NOOP("CoreWords", "Fused operators of ONNX Runtime, no layout of one CPU.")},
    {"^ONNX Runtime, any platform$", QT_TRANSLATE_NOOP("CoreWords", "ONNX Runtime, any platform")},
    {"^ONNX operators only: what only ONNX Runtime knows is written out\\.$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "ONNX operators only: what only ONNX Runtime knows is written out.")},
    {"^any ONNX implementation of the model's opset$",
     QT_TRANSLATE_NOOP("CoreWords", "any ONNX implementation of the model's opset")},
    {"^Everything, the memory layout of this CPU included; says so in its metadata\\.$",
     QT_TRANSLATE_NOOP(
         "CoreWords",
         "Everything, the memory layout of this CPU included; says so in its metadata.")},
    {"^ONNX Runtime on a CPU with the same vector width$",
     QT_TRANSLATE_NOOP("CoreWords", "ONNX Runtime on a CPU with the same vector width")},
    {"^input (\".*?\") (.+) is none that generating knows how to fill: expected caches named "
     "past\\* with outputs named present\\*, and of (.+)$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "input %1 %2 is none that generating knows how to fill: expected caches "
                       "named past* with outputs named present*, and of %3")},
    {"^input (\".*?\"): (.+) is not what a decoder has under this name$",
     QT_TRANSLATE_NOOP("CoreWords", "input %1: %2 is not what a decoder has under this name")},
    {"^cache (\".*?\") (.+) has a fixed number of rows: it cannot begin empty$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "cache %1 %2 has a fixed number of rows: it cannot begin empty")},
    {"^none of the (\\S+) outputs that are no caches is named \"logits\"$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "none of the %1 outputs that are no caches is named \"logits\"")},
    {"^output (\".*?\"): expected logits as floats of shape \\[sequences, tokens, vocabulary\\], "
     "found (.+)$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "output %1: expected logits as floats of shape [sequences, tokens, "
                       "vocabulary], found %2")},
    {"^the model has no input \"input_ids\" of tokens: it is no decoder$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "the model has no input \"input_ids\" of tokens: it is no decoder")},
    {"^(\\S+) inputs with ids of embeddings counted from the front, for ONNX Runtime's "
     "EmbedLayerNormalization refuses those below zero$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "%1 inputs with ids of embeddings counted from the front, for ONNX "
                       "Runtime's EmbedLayerNormalization refuses those below zero")},
    {"^(\\S+) input with ids of embeddings counted from the front, for ONNX Runtime's "
     "EmbedLayerNormalization refuses those below zero$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "%1 input with ids of embeddings counted from the front, for ONNX Runtime's "
                       "EmbedLayerNormalization refuses those below zero")},
    {"^converted from opset (\\d+) to (\\d+), the first with LayerNormalization$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "converted from opset %1 to %2, the first with LayerNormalization")},
    {"^converted from opset (\\d+) to (\\d+)$",
     QT_TRANSLATE_NOOP("CoreWords", "converted from opset %1 to %2")},
    {"^(\\S+) normalizations that ONNX does not have at opset (\\d+) were written out$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "%1 normalizations that ONNX does not have at opset %2 were written out")},
    {"^laid out for blocks of (\\d+) channels: only ONNX Runtime on such a CPU computes the same$",
     QT_TRANSLATE_NOOP(
         "CoreWords",
         "laid out for blocks of %1 channels: only ONNX Runtime on such a CPU computes the same")},
    {"^the layout of one CPU was undone: ",
     QT_TRANSLATE_NOOP("CoreWords", "the layout of one CPU was undone: ")},
    {"^LayerNormalization is written out: ",
     QT_TRANSLATE_NOOP("CoreWords", "LayerNormalization is written out: ")},
};

}  // namespace

std::span<const CorePhrase> targetPhrases() { return targetTexts; }

}  // namespace lapidary::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/sample_texts.h"

#include <QCoreApplication>

#include <algorithm>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// The texts in core/tools/samples, except names of architectures.
constexpr const char* sample_texts[] = {
    QT_TRANSLATE_NOOP("Samples", "Multi-layer perceptron"),
    QT_TRANSLATE_NOOP(
        "Samples",
        "Three fully connected layers on 784 inputs; the smallest model to try things on."),
    QT_TRANSLATE_NOOP("Samples",
                      "Digit classifier on 28 x 28 images: two convolutions, three linear layers."),
    QT_TRANSLATE_NOOP("Samples",
                      "Image classifier of 1.2 million parameters built from squeeze and expand "
                      "convolutions."),
    QT_TRANSLATE_NOOP("Samples", "Image classifier with residual blocks; 11.7 million parameters."),
    QT_TRANSLATE_NOOP("Samples",
                      "The usual yardstick of image classifiers: bottleneck blocks, 25.6 million "
                      "parameters."),
    QT_TRANSLATE_NOOP(
        "Samples",
        "Image classifier for phones: depthwise convolutions in inverted residual blocks."),
    QT_TRANSLATE_NOOP("Samples", "Image classifier that mixes channels by Reshape and Transpose."),
    QT_TRANSLATE_NOOP("Samples",
                      "Segmentation network with skip connections, Concat and ConvTranspose."),
    QT_TRANSLATE_NOOP("Samples",
                      "Text encoder of 2 layers with symbolic batch and sequence; unfused as "
                      "PyTorch exports it."),
    QT_TRANSLATE_NOOP("Samples",
                      "Text encoder of 12 layers, 110 million parameters; unfused LayerNorm, GELU "
                      "and attention."),
    QT_TRANSLATE_NOOP("Samples",
                      "Text decoder of 12 layers with key/value cache inputs and outputs."),
    QT_TRANSLATE_NOOP("Samples", "Llama, 160 M"),
    QT_TRANSLATE_NOOP("Samples",
                      "Text decoder of 12 layers with grouped queries and rotary positions, as "
                      "onnxruntime-genai writes it."),
    QT_TRANSLATE_NOOP("Samples", "Llama, 1.1 B"),
    QT_TRANSLATE_NOOP("Samples",
                      "Text decoder of 22 layers, 1.1 billion parameters: a file of 4.4 GB, as "
                      "onnxruntime-genai writes it."),
    QT_TRANSLATE_NOOP("Samples", "Bidirectional LSTM tagger"),
    QT_TRANSLATE_NOOP("Samples",
                      "Embedding, two bidirectional LSTM layers and a linear layer over sequences "
                      "of any length."),
};

}  // namespace

QString sampleText(std::string_view text) {
    const auto found = std::ranges::find(sample_texts, text,
                                         [](const char* known) { return std::string_view(known); });
    return found == std::end(sample_texts) ? labelText(text)
                                           : QCoreApplication::translate("Samples", *found);
}

std::span<const char* const> sampleTexts() { return sample_texts; }

}  // namespace lapidary::views

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/samples.h>

#include <array>
#include <string>

#include <lapidary/base/error.h>

#include "samples/sample_models.h"

namespace lapidary {
namespace {

struct Sample {
    SampleInfo info;
    Model (*build)(std::uint64_t);
};

constexpr Sample table[] = {
    {{"mlp", "Multi-layer perceptron",
      "Three fully connected layers on 784 inputs; the smallest model to try things on."},
     samples::mlp},
    {{"lenet", "LeNet-5",
      "Digit classifier on 28 x 28 images: two convolutions, three linear layers."},
     samples::lenet},
    {{"squeezenet", "SqueezeNet 1.1",
      "Image classifier of 1.2 million parameters built from squeeze and expand convolutions."},
     samples::squeezenet},
    {{"resnet18", "ResNet-18", "Image classifier with residual blocks; 11.7 million parameters."},
     samples::resnet18},
    {{"resnet50", "ResNet-50",
      "The usual yardstick of image classifiers: bottleneck blocks, 25.6 million parameters."},
     samples::resnet50},
    {{"mobilenetv2", "MobileNetV2",
      "Image classifier for phones: depthwise convolutions in inverted residual blocks."},
     samples::mobilenetv2},
    {{"shufflenet", "ShuffleNet V2",
      "Image classifier that mixes channels by Reshape and Transpose."},
     samples::shufflenet},
    {{"unet", "U-Net", "Segmentation network with skip connections, Concat and ConvTranspose."},
     samples::unet},
    {{"bert-tiny", "BERT tiny",
      "Text encoder of 2 layers with symbolic batch and sequence; unfused as PyTorch exports it."},
     samples::bert_tiny},
    {{"bert-base", "BERT base",
      "Text encoder of 12 layers, 110 million parameters; unfused LayerNorm, GELU and attention."},
     samples::bert_base},
    {{"gpt2-small", "GPT-2 small",
      "Text decoder of 12 layers with key/value cache inputs and outputs."},
     samples::gpt2_small},
    {{"llama-160m", "Llama, 160 M",
      "Text decoder of 12 layers with grouped queries and rotary positions, as onnxruntime-genai "
      "writes it."},
     samples::llama_160m},
    {{"llama-1b", "Llama, 1.1 B",
      "Text decoder of 22 layers, 1.1 billion parameters: a file of 4.4 GB, as onnxruntime-genai "
      "writes it."},
     samples::llama_1b},
    {{"lstm", "Bidirectional LSTM tagger",
      "Embedding, two bidirectional LSTM layers and a linear layer over sequences of any length."},
     samples::lstm},
};

constexpr auto infos = [] {
    std::array<SampleInfo, std::size(table)> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = table[i].info;
    return out;
}();

}  // namespace

std::span<const SampleInfo> list_samples() { return infos; }

Model build_sample(std::string_view name, std::uint64_t seed) {
    std::string known;
    for (const Sample& s : table) {
        if (s.info.name == name) return s.build(seed);
        known += (known.empty() ? "" : ", ") + std::string(s.info.name);
    }
    fail_input("there is no sample " + quote(name) + "; the samples are " + known);
}

}  // namespace lapidary

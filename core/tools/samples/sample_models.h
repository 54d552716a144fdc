// SPDX-License-Identifier: Apache-2.0
// One builder per architecture.
#pragma once

#include <cstdint>

#include <lapidary/graph/model.h>

namespace lapidary::samples {

Model mlp(std::uint64_t seed);
Model lenet(std::uint64_t seed);       // LeCun et al. 1998, ReLU variant
Model squeezenet(std::uint64_t seed);  // Iandola et al. 2016, version 1.1
Model resnet18(std::uint64_t seed);    // He et al. 2015
Model resnet50(std::uint64_t seed);
Model mobilenetv2(std::uint64_t seed);  // Sandler et al. 2018
Model shufflenet(std::uint64_t seed);   // Ma et al. 2018, ShuffleNet V2 x1.0
Model unet(std::uint64_t seed);         // Ronneberger et al. 2015, padded, 32 base channels
Model bert_tiny(std::uint64_t seed);    // Turc et al. 2019: 2 layers of 128
Model bert_base(std::uint64_t seed);    // Devlin et al. 2018: 12 layers of 768
Model gpt2_small(std::uint64_t seed);   // Radford et al. 2019: 12 layers of 768, with KV cache
Model llama_160m(std::uint64_t seed);   // Touvron et al. 2023, grouped queries, with KV cache
Model llama_1b(std::uint64_t seed);     // the sizes of Zhang et al. 2024, TinyLlama; 4.4 GB
Model lstm(std::uint64_t seed);         // embedding, two bidirectional LSTM layers, tag scores

}  // namespace lapidary::samples

// SPDX-License-Identifier: Apache-2.0
#include "cli/options/model_options.h"

#include <lapidary/inputs/samples.h>

namespace lapidary::cli {
namespace {

constexpr const char* model_help = "ONNX model file, or sample:NAME";

}  // namespace

Suggestions model_suggestions() {
    Suggestions suggestions{.files = true, .extensions = {"onnx"}};
    for (const SampleInfo& sample : list_samples())
        suggestions.words.push_back("sample:" + std::string(sample.name));
    return suggestions;
}

Option& add_model(OptionList& options, std::string& model) {
    return options.value("model", "MODEL", model, model_help)
        .required()
        .suggest(model_suggestions());
}

Option& add_model(OptionList& options, std::filesystem::path& model) {
    return options.value("model", "MODEL", model, model_help)
        .required()
        .suggest(model_suggestions());
}

Option& add_channel_block(OptionList& options, std::int64_t& block) {
    return options
        .value(
            "--channel-block", "8|16", block,
            "Channels of a block in a file laid out by ONNX Runtime that does not name it: 16 for "
            "AVX-512 and 64-bit "
            "ARM, else 8")
        .one_of({"8", "16"});
}

}  // namespace lapidary::cli

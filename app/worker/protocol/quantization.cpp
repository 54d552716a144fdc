// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/quantization.h"

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/described_json.h"
#include "worker/protocol/quantization_members.h"

namespace lapidary::app {

bool operator==(const SampleChoice& a, const SampleChoice& b) {
    return a.data == b.data && a.generated == b.generated && a.seed == b.seed &&
           a.images == b.images && a.text.vocabulary == b.text.vocabulary &&
           a.text.most_tokens == b.text.most_tokens && a.text.lower_case == b.text.lower_case;
}

SampleSourcePtr samples_of(const ModelPtr& model, const SampleChoice& choice,
                           const CancelToken& cancel) {
    if (choice.isGenerated()) return generated_samples(model, choice.generated, choice.seed);
    if (!choice.text.vocabulary.empty() && !std::filesystem::is_directory(choice.data))
        return text_samples(*model, choice.data, choice.text);
    if (is_text_file(choice.data))
        fail_input(quote(choice.data.string(), 4096) +
                   ": lines of text need a vocabulary, a file of one token per line, to become the "
                   "numbers of tokens");
    return folder_samples(*model, choice.data, choice.images, cancel);
}

bool is_text_file(const std::filesystem::path& file) { return file.extension() == ".txt"; }

std::string quantization_text(const Quantization& quantization) {
    return line_of(json_of(quantization));
}

Quantization parse_quantization(std::string_view text) {
    return read_json<Quantization>(parse_json(text, "quantization"), "quantization");
}

}  // namespace lapidary::app

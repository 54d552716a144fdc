// SPDX-License-Identifier: Apache-2.0
// Files beside a language model that say how its tokens are text and where an answer ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/tokenizer/tokenizer.h>

namespace lapidary {

/// Where a model's tokenizer.json is looked for: in the folder of its file, then in the folder
/// above, where exporters put it that write the model into a folder "onnx".
std::vector<std::filesystem::path> tokenizer_places(const std::filesystem::path& model);
/// The first of these that is a file; empty: none is.
std::filesystem::path find_tokenizer(const std::filesystem::path& model);

/// Tokens that end an answer, and what says so.
struct EndTokens {
    std::vector<std::int64_t> ids;  // none: nothing says which
    std::string source;             // "generation_config.json"; empty without tokens
};

/// Looks in the folder of the model, then in that of the tokenizer, for the first of these that
/// names tokens: eos_token_id in generation_config.json, in genai_config.json (of its "model") and
/// in config.json (also of its "text_config"); eos_token in tokenizer_config.json and
/// special_tokens_map.json. Otherwise takes special tokens of the tokenizer that are known to end
/// answers, such as </s> and <|endoftext|>. `model`, `tokenizer_file`: may be empty; `tokenizer`:
/// null: there is none. Throws invalid_input naming file and member for what is no token,
/// io_failure, limit_exceeded.
EndTokens find_end_tokens(const std::filesystem::path& model,
                          const std::filesystem::path& tokenizer_file, const Tokenizer* tokenizer);

/// The tokens of a prompt, whole whatever "truncation" and "padding" of the tokenizer say. Throws
/// what Tokenizer::encode() throws, and invalid_input where there are none, or where the decoder's
/// vocabulary_size() lacks one of them: then the tokenizer is another model's.
std::vector<std::int64_t> encode_prompt(const Tokenizer& tokenizer, std::string_view text,
                                        const Model& decoder);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// The prompt of a generation, its tokenizer, and the tokens that end the answer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/generation/text_files.h>
#include <lapidary/graph/model.h>

#include "cli/options/option_list.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// A prompt that was read.
struct Prompt {
    std::vector<std::int64_t> ids;       // its tokens
    std::optional<Tokenizer> tokenizer;  // nothing: tokens are numbers
    std::filesystem::path tokenizer_file;
    EndTokens ends;  // of the answer
};

/// --prompt, --prompt-file, --prompt-tokens, --tokenizer, --stop and --ignore-eos.
class PromptOptions {
public:
    void declare(OptionList& options);
    /// Throws UsageError unless exactly one of the prompts is given. To be called before the model
    /// is loaded.
    void check() const;
    /// Reads the prompt for a decoder. `argument`: the model as the command line names it. Throws
    /// invalid_input with the places where the tokenizer was looked for, and what
    /// Tokenizer::load(), encode_prompt() and find_end_tokens() throw.
    Prompt read(const std::string& argument, const Model& decoder, Terminal& terminal) const;

private:
    bool is_text() const { return text_->is_given() || file_->is_given(); }
    std::filesystem::path tokenizer_of(const std::string& argument) const;
    std::string whole_text() const;

    std::vector<std::int64_t> tokens_, stops_;
    std::string given_text_;
    std::filesystem::path given_file_, tokenizer_;
    bool ignores_ends_ = false;
    Option *text_ = nullptr, *file_ = nullptr, *numbers_ = nullptr;
};

}  // namespace lapidary::cli

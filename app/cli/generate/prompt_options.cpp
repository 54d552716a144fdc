// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/prompt_options.h"

#include <cstdint>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/internal/text_file.h>

#include "cli/exit_code.h"
#include "cli/models/model_argument.h"

namespace lapidary::cli {
namespace {

constexpr std::uint64_t most_prompt_bytes = 1u << 30;

/// A tokenizer may be another model's where it has more tokens.
std::string note_of(const Prompt& prompt, const Model& decoder) {
    if (!prompt.tokenizer) return {};
    const auto known = vocabulary_size(decoder);
    const auto named = static_cast<std::int64_t>(prompt.tokenizer->size());
    if (!known || named <= *known) return {};
    return "the tokenizer " + quote(prompt.tokenizer_file.string(), 4096) + " has " +
           std::to_string(named) + " tokens, the model " + std::to_string(*known);
}

}  // namespace

void PromptOptions::declare(OptionList& options) {
    text_ = &options.value("--prompt", "TEXT", given_text_,
                           "Text that the answer follows, which the model's tokenizer makes tokens "
                           "of; the answer is text too");
    file_ = &options
                 .value("--prompt-file", "F", given_file_,
                        "The same from a file, without the end of its last line")
                 .suggest_files({"txt"})
                 .excludes(*text_);
    numbers_ = &options
                    .value("--prompt-tokens", "ID,...", tokens_,
                           "Tokens that the answer follows, as numbers")
                    .separated_by_commas()
                    .excludes(*text_)
                    .excludes(*file_);
    options
        .value("--tokenizer", "F", tokenizer_,
               "File tokenizer.json of the model\n"
               "Default: the one beside the model, else the one in the folder above. With "
               "--prompt-tokens the answer is text only if it is given.")
        .suggest_files({"json"});
    Option& stop = options
                       .value("--stop", "ID,...", stops_,
                              "Tokens that end the answer\n"
                              "Default: those that files beside the model or the tokenizer name "
                              "(eos_token_id), else special tokens that are known to end answers.")
                       .separated_by_commas();
    options.flag("--ignore-eos", ignores_ends_, "Go on behind tokens that end the answer")
        .excludes(stop);
}

void PromptOptions::check() const {
    if (!is_text() && !numbers_->is_given())
        throw UsageError("expected --prompt, --prompt-file or --prompt-tokens");
}

std::filesystem::path PromptOptions::tokenizer_of(const std::string& argument) const {
    if (!tokenizer_.empty() || !is_text()) return tokenizer_;
    if (!sample_of(argument).empty())
        fail_input("a sample has no tokenizer: name one by --tokenizer, or give --prompt-tokens");
    std::filesystem::path found = find_tokenizer(argument);
    if (!found.empty()) return found;
    std::string places;
    for (const std::filesystem::path& place : tokenizer_places(argument))
        places += (places.empty() ? "" : " and ") + quote(place.string(), 4096);
    fail_input("a prompt of text needs the model's tokenizer, which was looked for at " + places +
               ": name one by --tokenizer, or give --prompt-tokens");
}

std::string PromptOptions::whole_text() const {
    if (text_->is_given()) return given_text_;
    std::string text = load_text(given_file_, most_prompt_bytes);
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return text;
}

Prompt PromptOptions::read(const std::string& argument, const Model& decoder,
                           Terminal& terminal) const {
    Prompt prompt;
    prompt.tokenizer_file = tokenizer_of(argument);
    if (!prompt.tokenizer_file.empty()) prompt.tokenizer = Tokenizer::load(prompt.tokenizer_file);
    if (is_text()) {
        try {
            prompt.ids = encode_prompt(*prompt.tokenizer, whole_text(), decoder);
        } catch (Error& error) {
            throw error.at(file_->is_given() ? quote(given_file_.string(), 4096) : "--prompt");
        }
    } else {
        prompt.ids = tokens_;
    }
    terminal.note(note_of(prompt, decoder));
    if (!stops_.empty()) {
        prompt.ends = {stops_, "--stop"};
    } else if (!ignores_ends_) {
        std::filesystem::path file;
        if (sample_of(argument).empty()) file = argument;
        prompt.ends = find_end_tokens(file, prompt.tokenizer_file,
                                      prompt.tokenizer ? &*prompt.tokenizer : nullptr);
    }
    return prompt;
}

}  // namespace lapidary::cli

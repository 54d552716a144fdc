// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/generation/token_numbers.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/tokenizer/tokenizer.h>

#include "cli/command.h"
#include "cli/options/output_options.h"
#include "cli/output/json_output.h"
#include "cli/output/value_text.h"
#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_unknown_shown = 8;
constexpr std::uint64_t cancel_interval = 256;  // lines between looks at the token

constexpr const char* tokenize_notes = R"(
Encodes text with a tokenizer.json of Hugging Face's package `tokenizers`, as that does. Prints a
line for each token: its number and what the vocabulary calls it. A part of the file that this
program does not know is refused by its name.)";

struct TokenizeOptions {
    std::filesystem::path tokenizer, file, ids_file;
    std::string text, pair, special;
    std::vector<std::int64_t> ids;
    std::uint64_t most_tokens = 0;
    bool by_lines = false, only_ids = false, streamed = false;
};

class TokenizeCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Turn text into tokens of a language model, or tokens into text",
                .notes = tokenize_notes,
                .examples = {"lapidary-cli tokenize tokenizer.json --text \"Hello, world\"",
                             "lapidary-cli tokenize tokenizer.json --file corpus.txt --lines --ids",
                             "lapidary-cli tokenize tokenizer.json --decode 15496,11,995"}};
    }

    void declare(OptionList& options) override {
        options.value("tokenizer", "TOKENIZER", options_.tokenizer, "File tokenizer.json")
            .required()
            .suggest_files({"json"});
        text_ = &options.value("--text", "T", options_.text, "Text to encode").may_be_empty();
        file_ = &options.value("--file", "F", options_.file, "File whose text is encoded")
                     .suggest_files({"txt"})
                     .excludes(*text_);
        pair_ =
            &options
                 .value("--pair", "T", options_.pair, "Second text, for a model that compares two")
                 .may_be_empty()
                 .needs(*text_);
        decode_ = &options.value("--decode", "N,N,...", options_.ids, "Numbers of tokens to decode")
                       .separated_by_commas()
                       .excludes(*text_)
                       .excludes(*file_);
        decode_file_ = &options
                            .value("--decode-file", "F", options_.ids_file,
                                   "File of such numbers with spaces between them, a text per line")
                            .suggest_files({"txt"})
                            .excludes(*text_)
                            .excludes(*file_)
                            .excludes(*decode_);
        options.flag("--lines", options_.by_lines, "Each line of --file is a separate text")
            .needs(*file_);
        options.flag("--ids", options_.only_ids, "Print numbers alone, a line for each text");
        options
            .value("--special-tokens", "on|off", options_.special,
                   "Put those around that the tokenizer asks for, or write those that are decoded; "
                   "unless given on for text and off for --decode")
            .one_of({"on", "off"});
        options
            .value("--most-tokens", "N", options_.most_tokens,
                   "Cut texts to as many tokens; as the tokenizer says unless given")
            .positive()
            .excludes(*decode_)
            .excludes(*decode_file_);
        options.flag("--stream", options_.streamed,
                     "Decode token by token, as a generation would, and show each piece");
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const bool decodes = decode_->is_given() || decode_file_->is_given();
        if (!decodes && !text_->is_given() && !file_->is_given())
            throw UsageError("expected --text, --file, --decode or --decode-file");
        if (options_.streamed && !decodes)
            throw UsageError("--stream: expected --decode or --decode-file with it");
        const Tokenizer tokenizer = Tokenizer::load(options_.tokenizer);
        const bool special = options_.special.empty() ? !decodes : options_.special == "on";
        Json list = Json::array();
        if (decodes) decode(tokenizer, special, terminal, list);
        else encode(tokenizer, special, terminal, list);
        if (terminal.json)
            write_json(terminal.out, {{"model", std::string(tokenizer.model_kind())},
                                      {"vocabulary_size", tokenizer.size()},
                                      {decodes ? "decoded" : "texts", std::move(list)}});
        return exit_fine;
    }
    bool opens_plugins() const override { return false; }

private:
    void encode(const Tokenizer& tokenizer, bool special, Terminal& terminal, Json& list) const {
        const EncodeOptions how{.special_tokens = special,
                                .most_tokens = static_cast<std::size_t>(options_.most_tokens)};
        const auto take = [&](const Encoding& encoding) {
            if (terminal.json) list.push_back(encoding_json(tokenizer, encoding));
            else print(terminal.out, tokenizer, encoding);
        };
        if (pair_->is_given()) take(tokenizer.encode_pair(options_.text, options_.pair, how));
        else if (text_->is_given()) take(tokenizer.encode(options_.text, how));
        else if (!options_.by_lines)
            take(tokenizer.encode(load_text(options_.file, most_text_file_bytes), how));
        else {
            std::uint64_t number = 0;
            for (const std::string& line : load_lines(options_.file, most_text_file_bytes)) {
                if (number++ % cancel_interval == 0) terminal.cancel.throw_if_cancelled();
                try {
                    take(tokenizer.encode(line, how));
                } catch (Error& error) {
                    throw error.at(quote(options_.file.string(), 4096) + ", line " +
                                   std::to_string(number));
                }
            }
        }
    }

    static Json encoding_json(const Tokenizer& tokenizer, const Encoding& encoding) {
        Json names = Json::array();
        for (const std::int64_t id : encoding.ids)
            names.push_back(tokenizer.token_of(id).value_or(""));
        return {{"ids", encoding.ids},
                {"tokens", std::move(names)},
                {"types", encoding.types},
                {"mask", encoding.mask}};
    }

    void print(std::ostream& out, const Tokenizer& tokenizer, const Encoding& encoding) const {
        if (options_.only_ids) {
            out << fmt::format("{}\n", fmt::join(encoding.ids, " "));
            return;
        }
        for (const std::int64_t id : encoding.ids)
            out << fmt::format("{:8} {}\n", id, plain(tokenizer.token_of(id).value_or("")));
    }

    void decode(const Tokenizer& tokenizer, bool special, Terminal& terminal, Json& list) const {
        const auto take = [&](const std::vector<std::int64_t>& ids) {
            note_unknown(tokenizer, ids, terminal);
            const std::string text = tokenizer.decode(ids, !special);
            std::vector<std::string> pieces;
            if (options_.streamed) pieces = pieces_of(tokenizer, ids, special);
            if (terminal.json) {
                Json one{{"text", text}};
                if (options_.streamed) one["pieces"] = pieces;
                list.push_back(std::move(one));
            } else if (!options_.streamed) {
                terminal.out << text << '\n';
            }
            for (std::size_t i = 0; i < pieces.size() && !terminal.json; ++i)
                terminal.out << plain(pieces[i]) << '\n';
        };
        if (decode_->is_given()) {
            take(options_.ids);
            return;
        }
        std::size_t number = 0;
        for (const std::string& line : load_lines(options_.ids_file, most_text_file_bytes)) {
            if (number++ % cancel_interval == 0) terminal.cancel.throw_if_cancelled();
            take(token_numbers_of(line, number));
        }
    }

    /// Says which numbers no token has, which decode to nothing; each once.
    static void note_unknown(const Tokenizer& tokenizer, const std::vector<std::int64_t>& ids,
                             Terminal& terminal) {
        std::set<std::int64_t> unknown;
        for (const std::int64_t id : ids)
            if (!tokenizer.token_of(id)) unknown.insert(id);
        if (unknown.empty()) return;
        std::string numbers;
        std::size_t shown = 0;
        for (const std::int64_t id : unknown) {
            if (shown++ == most_unknown_shown) break;
            numbers += (numbers.empty() ? "" : ", ") + std::to_string(id);
        }
        if (unknown.size() > most_unknown_shown)
            numbers += " and " + std::to_string(unknown.size() - most_unknown_shown) + " more";
        terminal.note("the tokenizer has no token " + numbers + " among its " +
                      std::to_string(tokenizer.size()) + "; nothing is written for it");
    }

    static std::vector<std::string> pieces_of(const Tokenizer& tokenizer,
                                              const std::vector<std::int64_t>& ids, bool special) {
        DecodeStream stream(tokenizer, !special);
        std::vector<std::string> pieces;
        for (const std::int64_t id : ids) pieces.push_back(stream.next(id));
        if (std::string rest = stream.finish(); !rest.empty()) pieces.push_back(std::move(rest));
        return pieces;
    }

    TokenizeOptions options_;
    Option *text_ = nullptr, *file_ = nullptr, *pair_ = nullptr, *decode_ = nullptr,
           *decode_file_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> tokenize_command() { return std::make_unique<TokenizeCommand>(); }

}  // namespace lapidary::cli

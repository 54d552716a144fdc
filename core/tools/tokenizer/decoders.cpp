// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/decoder.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>

#include <tokenizer/byte_characters.h>
#include <tokenizer/pre_tokenizer.h>
#include <tokenizer/text_pattern.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    if (from.empty()) return;
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// What stands apart in a list of English words goes together.
void clean_up(std::string& text) {
    constexpr std::pair<std::string_view, std::string_view> rules[] = {
        {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
        {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
        {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [from, to] : rules) replace_all(text, from, to);
}

class DecoderSequence : public Decoder {
public:
    explicit DecoderSequence(std::vector<DecoderPtr> parts) : parts_(std::move(parts)) {}
    void apply(std::vector<std::string>& tokens) const override {
        for (const DecoderPtr& part : parts_) part->apply(tokens);
    }

private:
    std::vector<DecoderPtr> parts_;
};

class ByteLevelText : public Decoder {
public:
    void apply(std::vector<std::string>& tokens) const override {
        std::string bytes;
        for (const std::string& token : tokens) bytes += bytes_of_characters(token).value_or(token);
        tokens = {repaired_text(bytes)};
    }
};

class WordPieceText : public Decoder {
public:
    WordPieceText(std::string prefix, bool cleanup)
        : prefix_(std::move(prefix)), cleanup_(cleanup) {}
    void apply(std::vector<std::string>& tokens) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0) {
                if (tokens[i].starts_with(prefix_)) tokens[i].erase(0, prefix_.size());
                else tokens[i].insert(0, " ");
            }
            if (cleanup_) clean_up(tokens[i]);
        }
    }

private:
    std::string prefix_;
    bool cleanup_;
};

class MetaspaceText : public Decoder {
public:
    explicit MetaspaceText(const MetaspaceRules& rules)
        : drops_first_(rules.scheme != PrependScheme::never) {
        append_character(mark_, rules.replacement);
    }
    void apply(std::vector<std::string>& tokens) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], mark_, i == 0 && drops_first_ ? "" : " ");
    }

private:
    std::string mark_;
    bool drops_first_;
};

/// "<0xE2>" and its like, in a row, are the bytes of text.
class BytesOfTokens : public Decoder {
public:
    void apply(std::vector<std::string>& tokens) const override {
        std::vector<std::string> decoded;
        std::string bytes;
        const auto end_bytes = [&] {
            if (bytes.empty()) return;
            if (first_invalid_byte(bytes) == std::string::npos) decoded.push_back(bytes);
            else decoded.insert(decoded.end(), bytes.size(), std::string(replacement_character));
            bytes.clear();
        };
        for (std::string& token : tokens) {
            if (const auto byte = byte_of(token)) {
                bytes += *byte;
                continue;
            }
            end_bytes();
            decoded.push_back(std::move(token));
        }
        end_bytes();
        tokens = std::move(decoded);
    }

private:
    static std::optional<char> byte_of(std::string_view token) {
        if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
        unsigned byte = 0;
        const char* end = token.data() + 5;
        // a sign in front is taken by what the files are written for
        const char* begin = token.data() + (token[3] == '+' ? 4 : 3);
        const auto [after, problem] = std::from_chars(begin, end, byte, 16);
        if (problem != std::errc() || after != end) return std::nullopt;
        return static_cast<char>(byte);
    }
};

class FuseTokens : public Decoder {
public:
    void apply(std::vector<std::string>& tokens) const override {
        std::string all;
        for (const std::string& token : tokens) all += token;
        tokens = {std::move(all)};
    }
};

class ReplaceInTokens : public Decoder {
public:
    ReplaceInTokens(TextPattern pattern, std::string content)
        : pattern_(std::move(pattern)), content_(std::move(content)) {}
    void apply(std::vector<std::string>& tokens) const override {
        for (std::string& token : tokens) {
            std::string replaced;
            std::size_t after = 0;
            for (const Range& match : pattern_.matches(token)) {
                replaced.append(token, after, match.begin - after);
                replaced += content_;
                after = match.end;
            }
            replaced.append(token, after);
            token = std::move(replaced);
        }
    }

private:
    TextPattern pattern_;
    std::string content_;
};

class StripTokens : public Decoder {
public:
    StripTokens(char32_t content, std::uint32_t start, std::uint32_t stop)
        : start_(start), stop_(stop) {
        append_character(content_, content);
    }
    void apply(std::vector<std::string>& tokens) const override {
        for (std::string& token : tokens) {
            std::size_t begin = 0, end = token.size();
            for (std::uint32_t i = 0; i < start_; ++i) {
                if (!std::string_view(token).substr(begin).starts_with(content_)) break;
                begin += content_.size();
            }
            for (std::uint32_t i = 0; i < stop_; ++i) {
                if (!std::string_view(token).substr(0, end).ends_with(content_)) break;
                end -= content_.size();
            }
            token = begin < end ? token.substr(begin, end - begin) : "";
        }
    }

private:
    std::string content_;
    std::uint32_t start_, stop_;
};

class SuffixText : public Decoder {
public:
    explicit SuffixText(std::string suffix) : suffix_(std::move(suffix)) {}
    void apply(std::vector<std::string>& tokens) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
    }

private:
    std::string suffix_;
};

/// Classes of sound one after another (connectionist temporal classification).
class CtcText : public Decoder {
public:
    CtcText(std::string pad, std::string delimiter, bool cleanup)
        : pad_(std::move(pad)), delimiter_(std::move(delimiter)), cleanup_(cleanup) {}
    void apply(std::vector<std::string>& tokens) const override {
        tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
        for (std::string& token : tokens) {
            replace_all(token, pad_, "");
            if (!cleanup_) continue;
            clean_up(token);
            replace_all(token, delimiter_, " ");
        }
        std::erase(tokens, "");
    }

private:
    std::string pad_, delimiter_;
    bool cleanup_;
};

DecoderPtr read_kind_of_decoder(const std::string& type, JsonFields& fields) {
    if (type == "Sequence") {
        std::vector<DecoderPtr> parts;
        for (JsonFields& part : fields.list("decoders"))
            parts.push_back(read_decoder(std::move(part)));
        return std::make_unique<DecoderSequence>(std::move(parts));
    }
    if (type == "ByteLevel") {
        for (const char* name : {"add_prefix_space", "trim_offsets", "use_regex"})
            fields.ignore(name);
        return std::make_unique<ByteLevelText>();
    }
    if (type == "WordPiece") {
        std::string prefix = fields.text("prefix");
        return std::make_unique<WordPieceText>(std::move(prefix), fields.flag("cleanup"));
    }
    if (type == "Metaspace") return std::make_unique<MetaspaceText>(MetaspaceRules(fields));
    if (type == "ByteFallback") return std::make_unique<BytesOfTokens>();
    if (type == "Fuse") return std::make_unique<FuseTokens>();
    if (type == "Replace") {
        TextPattern pattern(fields.object("pattern"));
        return std::make_unique<ReplaceInTokens>(std::move(pattern), fields.text("content"));
    }
    if (type == "Strip") {
        const char32_t content = fields.character("content");
        const std::uint32_t start = fields.number("start");
        return std::make_unique<StripTokens>(content, start, fields.number("stop"));
    }
    if (type == "BPEDecoder") return std::make_unique<SuffixText>(fields.text("suffix"));
    if (type == "CTC") {
        std::string pad = fields.text("pad_token");
        std::string delimiter = fields.text("word_delimiter_token");
        return std::make_unique<CtcText>(std::move(pad), std::move(delimiter),
                                         fields.flag("cleanup"));
    }
    throw Error(ErrorCode::not_supported, "decoders of type " + quote(type) + " are not known")
        .at(fields.place());
}

}  // namespace

DecoderPtr read_decoder(JsonFields fields) {
    DecoderPtr decoder = read_kind_of_decoder(fields.text("type"), fields);
    fields.finish();
    return decoder;
}

DecoderPtr word_piece_decoder() { return std::make_unique<WordPieceText>("##", true); }

}  // namespace lapidary::tokens

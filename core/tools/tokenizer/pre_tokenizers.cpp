// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/pre_tokenizer.h>

#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include <tokenizer/byte_characters.h>
#include <tokenizer/characters.h>
#include <tokenizer/text_pattern.h>

namespace lapidary::tokens {
namespace {

SplitBehavior read_behavior(JsonFields& fields, std::optional<std::size_t> otherwise = {}) {
    const std::vector<std::string_view> words{"Removed", "Isolated", "MergedWithPrevious",
                                              "MergedWithNext", "Contiguous"};
    return static_cast<SplitBehavior>(otherwise ? fields.word("behavior", words, *otherwise)
                                                : fields.word("behavior", words));
}

class PreTokenizerSequence : public PreTokenizer {
public:
    explicit PreTokenizerSequence(std::vector<PreTokenizerPtr> parts) : parts_(std::move(parts)) {}
    void apply(Pieces& pieces) const override {
        for (const PreTokenizerPtr& part : parts_) part->apply(pieces);
    }

private:
    std::vector<PreTokenizerPtr> parts_;
};

/// Cuts by one rule after another.
class CutText : public PreTokenizer {
public:
    struct Rule {
        FindParts find;
        SplitBehavior behavior;
    };
    explicit CutText(std::vector<Rule> rules) : rules_(std::move(rules)) {}
    void apply(Pieces& pieces) const override {
        for (const Rule& rule : rules_) split(pieces, rule.find, rule.behavior);
    }

private:
    std::vector<Rule> rules_;
};

PreTokenizerPtr cut(FindParts find, SplitBehavior behavior) {
    return std::make_unique<CutText>(std::vector<CutText::Rule>{{std::move(find), behavior}});
}

/// Parts by the matches of a pattern; `inverted`: what is between them is the match.
template <typename Matches>
FindParts parts_by(Matches matches, bool inverted) {
    return [matches, inverted](std::string_view text, std::vector<Part>& parts) {
        const std::size_t before = parts.size();
        add_parts(text, matches(text), parts);
        for (std::size_t i = before; inverted && i < parts.size(); ++i)
            parts[i].is_match = !parts[i].is_match;
    };
}

class CutByPattern : public PreTokenizer {
public:
    CutByPattern(TextPattern pattern, SplitBehavior behavior, bool inverted)
        : pattern_(std::move(pattern)), behavior_(behavior), inverted_(inverted) {}
    void apply(Pieces& pieces) const override {
        split(pieces,
              parts_by([this](std::string_view text) { return pattern_.matches(text); }, inverted_),
              behavior_);
    }

private:
    TextPattern pattern_;
    SplitBehavior behavior_;
    bool inverted_;
};

class ByteLevelWords : public PreTokenizer {
public:
    ByteLevelWords(bool add_prefix_space, bool use_regex)
        : add_prefix_space_(add_prefix_space), use_regex_(use_regex) {}
    void apply(Pieces& pieces) const override {
        if (add_prefix_space_)
            rewrite(pieces, [](std::string_view piece, bool, std::string& text) {
                if (!piece.starts_with(' ')) text += ' ';
                text += piece;
            });
        if (use_regex_)
            split(pieces,
                  parts_by([](std::string_view text) { return words().matches(text); }, false),
                  SplitBehavior::isolated);
        rewrite(pieces, [](std::string_view piece, bool, std::string& text) {
            append_byte_characters(piece, text);
        });
    }

private:
    /// GPT-2's.
    static const Regex& words() {
        static const Regex regex(
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+"
            "|\\s+(?!\\S)|\\s+");
        return regex;
    }
    bool add_prefix_space_, use_regex_;
};

class MetaspaceWords : public PreTokenizer {
public:
    explicit MetaspaceWords(const MetaspaceRules& rules) : rules_(rules) {
        append_character(mark_, rules.replacement);
    }
    void apply(Pieces& pieces) const override {
        rewrite(pieces, [this](std::string_view piece, bool is_at_front, std::string& text) {
            const bool has_mark = piece.starts_with(' ') || piece.starts_with(mark_);
            const bool prepends = rules_.scheme == PrependScheme::always ||
                                  (rules_.scheme == PrependScheme::first && is_at_front);
            if (prepends && !has_mark) text += mark_;
            for (const char c : piece) {
                if (c == ' ') text += mark_;
                else text += c;
            }
        });
        if (!rules_.splits) return;
        const char32_t mark = rules_.replacement;
        split(pieces, characters_that([mark](char32_t code) { return code == mark; }),
              SplitBehavior::merged_with_next);
    }

private:
    MetaspaceRules rules_;
    std::string mark_;
};

FindParts parts_of_length(std::uint32_t length) {
    return [length](std::string_view text, std::vector<Part>& parts) {
        std::uint32_t begin = 0, at = 0, count = 0;
        while (at < text.size()) {
            at += character_at(text, at).length;
            if (++count < length && at < text.size()) continue;
            parts.push_back({{begin, at}, false});
            begin = at;
            count = 0;
        }
    };
}

PreTokenizerPtr read_cut(const std::string& type, JsonFields& fields) {
    if (type == "Whitespace")
        return cut(
            parts_by([](std::string_view text) { return words_and_symbols().matches(text); }, true),
            SplitBehavior::removed);
    if (type == "WhitespaceSplit")
        return cut(characters_that(is_white_space), SplitBehavior::removed);
    if (type == "Punctuation")
        return cut(characters_that(is_punctuation), read_behavior(fields, 1));
    if (type == "Digits")
        return cut(characters_that(is_numeric), fields.flag("individual_digits")
                                                    ? SplitBehavior::isolated
                                                    : SplitBehavior::contiguous);
    if (type == "CharDelimiterSplit") {
        const char32_t delimiter = fields.character("delimiter");
        return cut(characters_that([delimiter](char32_t code) { return code == delimiter; }),
                   SplitBehavior::removed);
    }
    if (type == "FixedLength") {
        const std::uint32_t length = fields.number("length", 5);
        if (length == 0) fields.fail("\"length\" is 0: expected characters of a piece");
        return cut(parts_of_length(length), SplitBehavior::isolated);
    }
    return nullptr;
}

PreTokenizerPtr read_kind_of_cut(const std::string& type, JsonFields& fields) {
    if (PreTokenizerPtr simple = read_cut(type, fields)) return simple;
    if (type == "Sequence") {
        std::vector<PreTokenizerPtr> parts;
        for (JsonFields& part : fields.list("pretokenizers"))
            parts.push_back(read_pre_tokenizer(std::move(part)));
        return std::make_unique<PreTokenizerSequence>(std::move(parts));
    }
    if (type == "ByteLevel") {
        fields.ignore("trim_offsets");
        const bool add_prefix_space = fields.flag("add_prefix_space");
        return std::make_unique<ByteLevelWords>(add_prefix_space, fields.flag("use_regex", true));
    }
    if (type == "Metaspace") return std::make_unique<MetaspaceWords>(MetaspaceRules(fields));
    if (type == "Split") {
        TextPattern pattern(fields.object("pattern"));
        const SplitBehavior behavior = read_behavior(fields);
        return std::make_unique<CutByPattern>(std::move(pattern), behavior, fields.flag("invert"));
    }
    if (type == "BertPreTokenizer") return bert_pre_tokenizer();
    throw Error(ErrorCode::not_supported,
                "pre-tokenizers of type " + quote(type) + " are not known")
        .at(fields.place());
}

}  // namespace

MetaspaceRules::MetaspaceRules(JsonFields& fields) : replacement(fields.character("replacement")) {
    scheme =
        static_cast<PrependScheme>(fields.word("prepend_scheme", {"first", "never", "always"}, 2));
    splits = fields.flag("split", true);
    fields.ignore("str_rep");
    if (!fields.flag("add_prefix_space", true)) {
        if (fields.find("prepend_scheme") && scheme != PrependScheme::never)
            fields.fail("\"add_prefix_space\" is false and \"prepend_scheme\" is not \"never\"");
        scheme = PrependScheme::never;
    }
}

PreTokenizerPtr bert_pre_tokenizer() {
    return std::make_unique<CutText>(
        std::vector<CutText::Rule>{{characters_that(is_white_space), SplitBehavior::removed},
                                   {characters_that(is_punctuation), SplitBehavior::isolated}});
}

PreTokenizerPtr read_pre_tokenizer(JsonFields fields) {
    PreTokenizerPtr pre_tokenizer = read_kind_of_cut(fields.text("type"), fields);
    fields.finish();
    return pre_tokenizer;
}

}  // namespace lapidary::tokens

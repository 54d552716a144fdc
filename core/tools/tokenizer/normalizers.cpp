// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/normalizer.h>

#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include <tokenizer/byte_characters.h>
#include <tokenizer/characters.h>
#include <tokenizer/text_pattern.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

class NormalizerSequence : public Normalizer {
public:
    explicit NormalizerSequence(std::vector<NormalizerPtr> parts) : parts_(std::move(parts)) {}
    void apply(NormalText& text) const override {
        for (const NormalizerPtr& part : parts_) part->apply(text);
    }

private:
    std::vector<NormalizerPtr> parts_;
};

class UnicodeForm : public Normalizer {
public:
    explicit UnicodeForm(NormalForm form) : form_(form) {}
    void apply(NormalText& text) const override {
        if (!is_ascii(text.text)) text.text = normal_form(text.text, form_);
    }

private:
    NormalForm form_;
};

class LowerCase : public Normalizer {
public:
    void apply(NormalText& text) const override { text.text = lower_case(text.text); }
};

class StripSpaces : public Normalizer {
public:
    StripSpaces(bool left, bool right) : left_(left), right_(right) {}
    void apply(NormalText& text) const override {
        std::size_t begin = 0, end = text.text.size();
        while (left_ && begin < end) {
            const Character one = character_at(text.text, begin);
            if (!is_white_space(one.code)) break;
            begin += one.length;
        }
        while (right_ && begin < end) {
            const Character one = character_before(text.text, end);
            if (!is_white_space(one.code)) break;
            end -= one.length;
        }
        text.lost_front |= begin > 0;
        text.text.erase(end);
        text.text.erase(0, begin);
    }

private:
    bool left_, right_;
};

/// Leaves characters out and exchanges others, one by one.
template <typename Change>
void change_characters(NormalText& text, Change change) {
    std::string changed;
    changed.reserve(text.text.size());
    for (std::size_t at = 0; at < text.text.size();) {
        const Character one = character_at(text.text, at);
        at += one.length;
        if (const auto code = change(one.code)) append_character(changed, *code);
        else text.lost_front |= changed.empty();
    }
    text.text = std::move(changed);
}

class StripMarks : public Normalizer {
public:
    void apply(NormalText& text) const override {
        if (is_ascii(text.text)) return;
        change_characters(
            text, [](char32_t code) { return is_mark(code) ? std::nullopt : std::optional(code); });
    }
};

/// The rules of SentencePiece's "nmt".
class NmtRules : public Normalizer {
public:
    void apply(NormalText& text) const override { change_characters(text, changed); }

private:
    static std::optional<char32_t> changed(char32_t code) {
        switch (code) {
        case 0x0B:
        case 0x7F:
        case 0x8F:
        case 0x9F: return std::nullopt;
        case 0x09:
        case 0x0A:
        case 0x0C:
        case 0x0D:
        case 0x1680:
        case 0x2028:
        case 0x2029:
        case 0x2581:
        case 0xFEFF:
        case 0xFFFD: return U' ';
        default: break;
        }
        if (code >= 0x200B && code <= 0x200F) return U' ';
        const bool is_control = (code >= 0x01 && code <= 0x08) || (code >= 0x0E && code <= 0x1F);
        return is_control ? std::nullopt : std::optional(code);
    }
};

class ReplaceText : public Normalizer {
public:
    ReplaceText(TextPattern pattern, std::string content)
        : pattern_(std::move(pattern)), content_(std::move(content)) {}
    void apply(NormalText& text) const override {
        const std::vector<Range> matches = pattern_.matches(text.text);
        if (matches.empty()) return;
        std::string replaced;
        std::size_t after = 0;
        for (const Range& match : matches) {
            replaced.append(text.text, after, match.begin - after);
            const std::string_view found =
                std::string_view(text.text).substr(match.begin, match.end - match.begin);
            // the content counts as from the last character of what it replaces
            if (replaced.empty())
                text.lost_front |= count_characters(found) > (content_.empty() ? 0u : 1u);
            replaced += content_;
            after = match.end;
        }
        replaced.append(text.text, after);
        text.text = std::move(replaced);
    }

private:
    TextPattern pattern_;
    std::string content_;
};

class PrependText : public Normalizer {
public:
    explicit PrependText(std::string front) : front_(std::move(front)) {}
    void apply(NormalText& text) const override {
        if (!text.text.empty()) text.text.insert(0, front_);
    }

private:
    std::string front_;
};

class BytesAsCharacters : public Normalizer {
public:
    void apply(NormalText& text) const override {
        std::string written;
        append_byte_characters(text.text, written);
        text.text = std::move(written);
    }
};

NormalizerPtr read_kind(const std::string& type, JsonFields& fields) {
    const std::vector<std::pair<std::string_view, NormalForm>> forms{{"NFC", NormalForm::nfc},
                                                                     {"NFD", NormalForm::nfd},
                                                                     {"NFKC", NormalForm::nfkc},
                                                                     {"NFKD", NormalForm::nfkd}};
    for (const auto& [name, form] : forms)
        if (type == name) return std::make_unique<UnicodeForm>(form);
    if (type == "Sequence") {
        std::vector<NormalizerPtr> parts;
        for (JsonFields& part : fields.list("normalizers"))
            parts.push_back(read_normalizer(std::move(part)));
        return std::make_unique<NormalizerSequence>(std::move(parts));
    }
    if (type == "Lowercase") return std::make_unique<LowerCase>();
    if (type == "Strip") {
        const bool left = fields.flag("strip_left"), right = fields.flag("strip_right");
        return std::make_unique<StripSpaces>(left, right);
    }
    if (type == "StripAccents") return std::make_unique<StripMarks>();
    if (type == "Nmt") return std::make_unique<NmtRules>();
    if (type == "Replace") {
        TextPattern pattern(fields.object("pattern"));
        return std::make_unique<ReplaceText>(std::move(pattern), fields.text("content"));
    }
    if (type == "Prepend") return std::make_unique<PrependText>(fields.text("prepend"));
    if (type == "ByteLevel") return std::make_unique<BytesAsCharacters>();
    if (type == "BertNormalizer") return bert_normalizer(fields);
    if (type == "Precompiled") return charsmap_normalizer(fields);
    throw Error(ErrorCode::not_supported, "normalizers of type " + quote(type) + " are not known")
        .at(fields.place());
}

}  // namespace

NormalizerPtr read_normalizer(JsonFields fields) {
    NormalizerPtr normalizer = read_kind(fields.text("type"), fields);
    fields.finish();
    return normalizer;
}

}  // namespace lapidary::tokens

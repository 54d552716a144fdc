// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <tokenizer/characters.h>
#include <tokenizer/normalizer.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

struct BertRules {
    bool clean_text, handle_chinese_chars, strip_accents, lowercase;
};

class BertNormalizer : public Normalizer {
public:
    explicit BertNormalizer(const BertRules& rules) : rules_(rules) {}
    void apply(NormalText& text) const override {
        const bool plain = is_ascii(text.text);
        if (rules_.clean_text || (rules_.handle_chinese_chars && !plain)) clean(text);
        if (rules_.strip_accents && !plain) strip_accents(text);
        if (rules_.lowercase) text.text = lower_case(text.text);
    }

private:
    void clean(NormalText& text) const {
        std::string made;
        made.reserve(text.text.size());
        for (std::size_t at = 0; at < text.text.size();) {
            const Character one = character_at(text.text, at);
            at += one.length;
            const bool is_space = one.code == '\t' || one.code == '\n' || one.code == '\r' ||
                                  is_white_space(one.code);
            if (rules_.clean_text && one.code != '\t' && one.code != '\n' && one.code != '\r' &&
                (one.code == 0xFFFD || is_other(one.code))) {
                text.lost_front |= made.empty();
            } else if (rules_.clean_text && is_space) {
                made += ' ';
            } else if (rules_.handle_chinese_chars && is_chinese(one.code)) {
                made += ' ';
                append_character(made, one.code);
                made += ' ';
            } else {
                append_character(made, one.code);
            }
        }
        text.text = std::move(made);
    }
    static void strip_accents(NormalText& text) {
        const std::string apart = normal_form(text.text, NormalForm::nfd);
        std::string made;
        made.reserve(apart.size());
        for (std::size_t at = 0; at < apart.size();) {
            const Character one = character_at(apart, at);
            at += one.length;
            if (is_accent(one.code)) text.lost_front |= made.empty();
            else append_character(made, one.code);
        }
        text.text = std::move(made);
    }

    BertRules rules_;
};

}  // namespace

NormalizerPtr bert_normalizer(JsonFields& fields) {
    BertRules rules{};
    rules.clean_text = fields.flag("clean_text");
    rules.handle_chinese_chars = fields.flag("handle_chinese_chars");
    rules.lowercase = fields.flag("lowercase");
    rules.strip_accents = fields.flag("strip_accents", rules.lowercase);
    return std::make_unique<BertNormalizer>(rules);
}

NormalizerPtr bert_normalizer(bool lower_case) {
    return std::make_unique<BertNormalizer>(BertRules{true, true, lower_case, lower_case});
}

}  // namespace lapidary::tokens

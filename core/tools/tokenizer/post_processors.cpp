// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/post_processor.h>

#include <map>
#include <string>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary::tokens {
namespace {

/// ["[SEP]", 102]
TokenId read_pair(JsonFields& fields, const std::string& name) {
    const nlohmann::json& pair = fields.get(name);
    if (!pair.is_array() || pair.size() != 2) fields.fail("\"" + name + "\" is no text and number");
    token_text(pair[0], fields.place_of(name));
    return token_number(pair[1], fields.place_of(name));
}

using SpecialTokens = std::map<std::string, std::vector<TokenId>>;

SpecialTokens read_special_tokens(JsonFields fields, const nlohmann::json& object) {
    SpecialTokens tokens;
    for (const auto& item : object.items()) {
        JsonFields one = fields.object(item.key());
        one.text("id");
        const nlohmann::json& ids = one.get("ids");
        if (!ids.is_array()) one.fail("\"ids\" is no list");
        std::vector<TokenId>& list = tokens[item.key()];
        for (const nlohmann::json& id : ids) list.push_back(token_number(id, one.place_of("ids")));
        one.ignore("tokens");
        one.finish();
    }
    return tokens;
}

Template read_template(JsonFields& fields, const std::string& name, const SpecialTokens& tokens,
                       bool is_pair) {
    Template parts;
    for (JsonFields& element : fields.list(name)) {
        TemplatePart part;
        const bool is_text = element.find("Sequence") != nullptr;
        JsonFields inner = element.object(is_text ? "Sequence" : "SpecialToken");
        part.type = inner.number("type_id");
        if (is_text) {
            part.text = inner.word("id", {"A", "B"});
            if (*part.text == 1 && !is_pair) inner.fail("a single text has no sequence \"B\"");
        } else {
            const std::string id = inner.text("id");
            const auto at = tokens.find(id);
            if (at == tokens.end())
                inner.fail(quote(id) + " is not among the \"special_tokens\" of the template");
            part.tokens = at->second;
        }
        inner.finish();
        element.finish();
        parts.push_back(std::move(part));
    }
    return parts;
}

PostProcessor read_templates(JsonFields& fields) {
    const nlohmann::json& object = fields.get("special_tokens");
    const SpecialTokens tokens = read_special_tokens(fields.object("special_tokens"), object);
    PostProcessor made;
    made.single = read_template(fields, "single", tokens, false);
    made.pair = read_template(fields, "pair", tokens, true);
    return made;
}

PostProcessor read_roberta(JsonFields& fields) {
    fields.ignore("trim_offsets");
    fields.ignore("add_prefix_space");
    const TokenId cls = read_pair(fields, "cls"), sep = read_pair(fields, "sep");
    PostProcessor made;
    made.single = {{{}, {cls}, 0}, {0, {}, 0}, {{}, {sep}, 0}};
    made.pair = {{{}, {cls}, 0}, {0, {}, 0}, {{}, {sep}, 0},
                 {{}, {sep}, 0}, {1, {}, 0}, {{}, {sep}, 0}};
    return made;
}

/// Those of a sequence: at most one adds tokens.
PostProcessor read_sequence(JsonFields& fields) {
    std::optional<PostProcessor> made;
    for (JsonFields& part : fields.list("processors")) {
        const bool changes_nothing = part.text("type") == "ByteLevel";
        PostProcessor one = read_post_processor(part);
        if (changes_nothing) continue;
        if (made)
            throw Error(ErrorCode::not_supported,
                        "more than one post-processor of a sequence adds tokens")
                .at(fields.place());
        made = std::move(one);
    }
    return made ? std::move(*made) : PostProcessor{};
}

}  // namespace

std::size_t PostProcessor::count_special(const Template& parts) {
    std::size_t count = 0;
    for (const TemplatePart& part : parts) count += part.tokens.size();
    return count;
}

PostProcessor read_post_processor(JsonFields fields) {
    const std::string type = fields.text("type");
    PostProcessor made;
    if (type == "TemplateProcessing") {
        made = read_templates(fields);
    } else if (type == "BertProcessing") {
        const TokenId cls = read_pair(fields, "cls");
        made = bert_post_processor(cls, read_pair(fields, "sep"));
    } else if (type == "RobertaProcessing") {
        made = read_roberta(fields);
    } else if (type == "ByteLevel") {  // which changes offsets alone
        for (const char* name : {"add_prefix_space", "trim_offsets", "use_regex"})
            fields.ignore(name);
    } else if (type == "Sequence") {
        made = read_sequence(fields);
    } else {
        throw Error(ErrorCode::not_supported,
                    "post-processors of type " + quote(type) + " are not known")
            .at(fields.place());
    }
    fields.finish();
    return made;
}

PostProcessor bert_post_processor(std::optional<TokenId> cls, std::optional<TokenId> sep) {
    PostProcessor made;
    made.single.clear();
    if (cls) made.single.push_back({{}, {*cls}, 0});
    made.single.push_back({0, {}, 0});
    if (sep) made.single.push_back({{}, {*sep}, 0});
    made.pair = made.single;
    made.pair.push_back({1, {}, 1});
    if (sep) made.pair.push_back({{}, {*sep}, 1});
    return made;
}

}  // namespace lapidary::tokens

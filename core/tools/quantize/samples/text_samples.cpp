// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/text_samples.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/tokenizer/tokenizer.h>

#include <tokenizer/characters.h>
#include <tokenizer/utf8.h>

namespace lapidary {
namespace {

constexpr std::uint64_t most_bytes = 256u << 20;
bool is_blank(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
        const tokens::Character one = tokens::character_at(line, at);
        if (!tokens::is_white_space(one.code)) return false;
        at += one.length;
    }
    return true;
}

Tokenizer load_tokenizer(const TextOptions& options) {
    if (options.vocabulary.extension() == ".json") return Tokenizer::load(options.vocabulary);
    try {
        return Tokenizer::word_piece(load_lines(options.vocabulary, most_bytes),
                                     options.lower_case);
    } catch (Error& error) {
        if (error.code() == ErrorCode::io_failure) throw;  // which names the file
        throw error.at(quote(options.vocabulary.string(), 4096));
    }
}

enum class Role { ids, mask, types, positions };

std::optional<Role> role_of(std::string name) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("mask")) return Role::mask;
    if (has("type") || has("segment")) return Role::types;
    if (has("position")) return Role::positions;
    return has("ids") || has("token") ? std::optional(Role::ids) : std::nullopt;
}

class TextSamples final : public SampleSource {
public:
    TextSamples(const Model& model, const std::filesystem::path& file, const TextOptions& options)
        : tokenizer_(load_tokenizer(options)), options_(options), file_(file.filename().string()) {
        if (options_.most_tokens < 2) fail_input("a sample of text has at least 2 tokens");
        for (ValueId id : model.graph.inputs())
            if (const Value& value = model.graph.value(id); !value.constant) take_input(value);
        const auto lines = load_lines(file, most_bytes);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (tokens::first_invalid_byte(lines[i]) != std::string::npos)
                fail_input(quote(file.string(), 4096) + ", line " + std::to_string(i + 1) +
                           ": the text is not UTF-8");
            if (!is_blank(lines[i])) lines_.emplace_back(i + 1, lines[i]);
        }
        if (lines_.empty()) fail_input(quote(file.string(), 4096) + " holds no line of text");
    }
    std::size_t size() const override { return lines_.size(); }
    std::string name(std::size_t index) const override {
        return file_ + ", line " + std::to_string(lines_.at(index).first);
    }
    NamedValues at(std::size_t index, const CancelToken&) const override {
        const Encoding encoding = tokenizer_.encode(
            lines_.at(index).second,
            {.most_tokens = static_cast<std::size_t>(options_.most_tokens), .padded = false});
        NamedValues values;
        for (const Input& input : inputs_)
            values.emplace_back(input.name, tensor_for(input, encoding.ids));
        return values;
    }

private:
    struct Input {
        std::string name;
        Role role;
        DType dtype;
        std::int64_t length;  // 0: that of the text
    };

    void take_input(const Value& value) {
        const auto role = role_of(value.name);
        const Type& type = value.type;
        const bool fits = type.is_tensor() &&
                          (type.dtype == DType::i64 || type.dtype == DType::i32) && type.shape &&
                          type.shape->size() == 2 &&
                          (!(*type.shape)[0].is_known() || (*type.shape)[0].value() == 1);
        if (!role || !fits)
            fail_input("input " + quote(value.name) + ", " + to_string(type) +
                       ": text gives [1, tokens] of i64 or i32, to inputs called ids, mask, type "
                       "or position");
        const std::int64_t length = (*type.shape)[1].is_known() ? (*type.shape)[1].value() : 0;
        inputs_.push_back({value.name, *role, type.dtype, length});
        if (length > 0)
            options_.most_tokens =
                std::min(options_.most_tokens, std::max<std::int64_t>(2, length));
    }

    Tensor tensor_for(const Input& input, const std::vector<std::int64_t>& tokens) const {
        const std::size_t length =
            input.length > 0 ? static_cast<std::size_t>(input.length) : tokens.size();
        std::vector<std::int64_t> values(length, 0);
        const std::int64_t padding = tokenizer_.padding_id().value_or(0);
        for (std::size_t i = 0; i < length; ++i) {
            const bool inside = i < tokens.size();
            switch (input.role) {
            case Role::ids: values[i] = inside ? tokens[i] : padding; break;
            case Role::mask: values[i] = inside ? 1 : 0; break;
            case Role::positions: values[i] = static_cast<std::int64_t>(i); break;
            case Role::types: break;
            }
        }
        const Shape shape{1, static_cast<std::int64_t>(length)};
        if (input.dtype == DType::i64) return Tensor::of<std::int64_t>(shape, values);
        return Tensor::of<std::int32_t>(shape,
                                        std::vector<std::int32_t>(values.begin(), values.end()));
    }

    Tokenizer tokenizer_;
    TextOptions options_;
    std::string file_;
    std::vector<Input> inputs_;
    std::vector<std::pair<std::size_t, std::string>> lines_;  // by number in the file
};

}  // namespace

SampleSourcePtr text_samples(const Model& model, const std::filesystem::path& file,
                             const TextOptions& options) {
    return std::make_shared<TextSamples>(model, file, options);
}

}  // namespace lapidary

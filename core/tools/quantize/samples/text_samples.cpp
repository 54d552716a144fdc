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
#include <lapidary/inputs/cache_pairs.h>
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

/// What an input takes: a value for each token, one number, or of a decoder's caches no rows.
enum class Role { ids, mask, types, positions, last_row, rows, past_rows, past };

/// Lengths that decoders of onnxruntime-genai are given.
std::optional<Role> length_role_of(std::string_view name) {
    if (name == "seqlens_k") return Role::last_row;
    if (name == "total_sequence_length") return Role::rows;
    return name == "past_sequence_length" ? std::optional(Role::past_rows) : std::nullopt;
}

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
        const std::vector<CachePair> caches = find_cache_pairs(model);
        for (ValueId id : model.graph.inputs()) {
            const Value& value = model.graph.value(id);
            if (value.constant) continue;
            if (std::ranges::find(caches, value.name, &CachePair::input) != caches.end())
                take_cache(value);
            else take_input(value);
        }
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
        std::int64_t length = 0;  // 0: that of the text
        Shape shape = {};         // of a number or of a cache
    };

    /// The cache of one sequence that has no token yet.
    void take_cache(const Value& value) {
        Shape shape;
        for (const Dim& dim : *value.type.shape)
            shape.push_back(dim.is_known() ? dim.value() : shape.empty() ? 1 : 0);
        inputs_.push_back({value.name, Role::past, value.type.dtype, 0, std::move(shape)});
    }

    void take_input(const Value& value) {
        if (const auto length = length_role_of(value.name); length && takes_number(value.type)) {
            const std::size_t rank = value.type.shape->size();
            inputs_.push_back({value.name, *length, value.type.dtype, 0, Shape(rank, 1)});
            return;
        }
        const auto role = role_of(value.name);
        const Type& type = value.type;
        const bool fits = type.is_tensor() &&
                          (type.dtype == DType::i64 || type.dtype == DType::i32) && type.shape &&
                          type.shape->size() == 2 &&
                          (!(*type.shape)[0].is_known() || (*type.shape)[0].value() == 1);
        if (!role || !fits)
            fail_input("input " + quote(value.name) + ", " + to_string(type) +
                       ": text gives [1, tokens] of i64 or i32, to inputs called ids, mask, type "
                       "or position, and caches without rows");
        const std::int64_t length = (*type.shape)[1].is_known() ? (*type.shape)[1].value() : 0;
        inputs_.push_back({value.name, *role, type.dtype, length, {}});
        if (length > 0)
            options_.most_tokens =
                std::min(options_.most_tokens, std::max<std::int64_t>(2, length));
    }

    static bool takes_number(const Type& type) {
        return type.is_tensor() && (type.dtype == DType::i64 || type.dtype == DType::i32) &&
               type.shape && type.shape->size() <= 2;
    }

    static Tensor integers(DType dtype, const Shape& shape,
                           const std::vector<std::int64_t>& values) {
        if (dtype == DType::i64) return Tensor::of<std::int64_t>(shape, values);
        return Tensor::of<std::int32_t>(shape,
                                        std::vector<std::int32_t>(values.begin(), values.end()));
    }

    Tensor tensor_for(const Input& input, const std::vector<std::int64_t>& tokens) const {
        const auto count = static_cast<std::int64_t>(tokens.size());
        switch (input.role) {
        case Role::past: return Tensor(input.dtype, input.shape);
        case Role::last_row: return integers(input.dtype, input.shape, {count - 1});
        case Role::rows: return integers(input.dtype, input.shape, {count});
        case Role::past_rows: return integers(input.dtype, input.shape, {0});
        default: return values_for(input, tokens);
        }
    }

    Tensor values_for(const Input& input, const std::vector<std::int64_t>& tokens) const {
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
            default: break;  // types are 0
            }
        }
        return integers(input.dtype, {1, static_cast<std::int64_t>(length)}, values);
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

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/text_samples.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

namespace lapidary {
namespace {

constexpr std::uint64_t most_bytes = 256u << 20;
constexpr std::size_t longest_word = 200;  // bytes: longer ones are unknown

/// Number of bytes of the first UTF-8 character.
std::size_t character_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    return std::min(length, text.size());
}

/// True for CJK ideographs of three bytes, each of which is a word of its own.
bool stands_alone(std::string_view character) {
    if (character.size() == 1) return std::ispunct(static_cast<unsigned char>(character[0])) != 0;
    if (character.size() != 3) return false;
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(character[i]));
    };
    const unsigned code = (byte(0) & 15u) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u);
    return code >= 0x3400 && code <= 0x9FFF;
}

std::vector<std::string> words_of(std::string_view line, bool lower_case) {
    std::vector<std::string> words;
    bool joined = false;  // to the last word
    while (!line.empty()) {
        const std::string_view character = line.substr(0, character_length(line));
        line.remove_prefix(character.size());
        const bool is_space =
            character.size() == 1 && std::isspace(static_cast<unsigned char>(character[0])) != 0;
        const bool alone = !is_space && stands_alone(character);
        if (is_space || alone) joined = false;
        if (is_space) continue;
        if (!joined) words.emplace_back();
        if (character.size() == 1 && lower_case)
            words.back() +=
                static_cast<char>(std::tolower(static_cast<unsigned char>(character[0])));
        else words.back() += character;
        joined = !alone;
    }
    return words;
}

class WordPieces {
public:
    explicit WordPieces(const std::filesystem::path& vocabulary) {
        std::int64_t number = 0;
        for (std::string& token : load_lines(vocabulary, most_bytes))
            numbers_.try_emplace(std::move(token), number++);
        if (!find("[UNK]"))
            fail_input(quote(vocabulary.string(), 4096) +
                       " has no token [UNK]: expected a vocabulary with a token per line");
    }
    std::optional<std::int64_t> find(const std::string& token) const {
        const auto at = numbers_.find(token);
        return at == numbers_.end() ? std::nullopt : std::optional(at->second);
    }

    std::vector<std::int64_t> tokens_of(std::string_view line, const TextOptions& options) const {
        std::vector<std::int64_t> tokens;
        if (const auto first = find("[CLS]")) tokens.push_back(*first);
        for (const std::string& word : words_of(line, options.lower_case)) add(word, tokens);
        const auto last = find("[SEP]");
        const auto most = static_cast<std::size_t>(options.most_tokens);
        if (tokens.size() + (last ? 1 : 0) > most) tokens.resize(most - (last ? 1 : 0));
        if (last) tokens.push_back(*last);
        return tokens;
    }

private:
    void add(const std::string& word, std::vector<std::int64_t>& tokens) const {
        const std::size_t before = tokens.size();
        for (std::size_t begin = 0; begin < word.size();) {
            const auto [token, length] = longest(word, begin);
            if (length == 0) {
                tokens.resize(before);
                tokens.push_back(*find("[UNK]"));
                return;
            }
            tokens.push_back(token);
            begin += length;
        }
    }
    /// Number and bytes of the longest token at a place of a word.
    std::pair<std::int64_t, std::size_t> longest(const std::string& word, std::size_t begin) const {
        if (word.size() > longest_word) return {0, 0};
        for (std::size_t length = word.size() - begin; length > 0; --length)
            if (const auto found = find((begin > 0 ? "##" : "") + word.substr(begin, length)))
                return {*found, length};
        return {0, 0};
    }

    std::unordered_map<std::string, std::int64_t> numbers_;
};

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
        : pieces_(options.vocabulary), options_(options), file_(file.filename().string()) {
        if (options_.most_tokens < 2) fail_input("a sample of text has at least 2 tokens");
        for (ValueId id : model.graph.inputs())
            if (const Value& value = model.graph.value(id); !value.constant) take_input(value);
        const auto lines = load_lines(file, most_bytes);
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (!words_of(lines[i], false).empty()) lines_.emplace_back(i + 1, lines[i]);
        if (lines_.empty()) fail_input(quote(file.string(), 4096) + " holds no line of text");
    }
    std::size_t size() const override { return lines_.size(); }
    std::string name(std::size_t index) const override {
        return file_ + ", line " + std::to_string(lines_.at(index).first);
    }
    NamedValues at(std::size_t index, const CancelToken&) const override {
        const std::vector<std::int64_t> tokens =
            pieces_.tokens_of(lines_.at(index).second, options_);
        NamedValues values;
        for (const Input& input : inputs_)
            values.emplace_back(input.name, tensor_for(input, tokens));
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
        const std::int64_t padding = pieces_.find("[PAD]").value_or(0);
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

    WordPieces pieces_;
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

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/text_files.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

namespace lapidary {
namespace {

using nlohmann::json;
using Path = std::filesystem::path;

constexpr std::uint64_t most_config_bytes = 16u << 20;

/// A member of a file that names tokens; `within`: of the object in which it stands, empty: the
/// file's own.
struct Place {
    const char *file, *within, *member;
};
constexpr Place number_places[] = {{"generation_config.json", "", "eos_token_id"},
                                   {"genai_config.json", "model", "eos_token_id"},
                                   {"config.json", "", "eos_token_id"},
                                   {"config.json", "text_config", "eos_token_id"}};
constexpr Place name_places[] = {{"tokenizer_config.json", "", "eos_token"},
                                 {"special_tokens_map.json", "", "eos_token"}};

/// Special tokens that end an answer, as families of models call them.
constexpr const char* known_ends[] = {
    "</s>",       "<eos>",      "[EOS]",         "<|end|>",    "<|endoftext|>", "<|end_of_text|>",
    "<|eot_id|>", "<|im_end|>", "<end_of_turn>", "<|return|>", "<|eos|>"};

bool is_file(const Path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

/// The folder of a file, "." for a name alone.
Path folder_of(const Path& file) { return file.has_parent_path() ? file.parent_path() : Path("."); }

Path file_in(const Path& folder, const char* name) { return (folder / name).lexically_normal(); }

/// The member at a place; null where file, object or member are not there.
json member_of(const Path& file, const Place& place) {
    if (!is_file(file)) return {};
    json object = parse_json(load_text(file, most_config_bytes), place.file);
    if (*place.within != '\0') {
        if (!object.is_object() || !object.contains(place.within)) return {};
        object = json(object.at(place.within));
    }
    if (!object.is_object() || !object.contains(place.member)) return {};
    return object.at(place.member);
}

std::int64_t number_of(const json& value) {
    const bool is_token = value.is_number_unsigned() &&
                          value.get<std::uint64_t>() <=
                              static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!is_token)
        fail_input("expected a number from 0 on, or a list of such, found " +
                   quote(value.dump(-1, ' ', false, json::error_handler_t::replace), 80));
    return value.get<std::int64_t>();
}

std::vector<std::int64_t> numbers_of(const json& member) {
    std::vector<std::int64_t> numbers;
    if (member.is_array())
        for (const json& value : member) numbers.push_back(number_of(value));
    else if (!member.is_null()) numbers.push_back(number_of(member));
    return numbers;
}

/// The token that a member names, by its text or as an object with its "content".
std::vector<std::int64_t> named_by(const json& member, const Tokenizer& tokenizer) {
    if (member.is_null()) return {};
    const json* name = &member;
    if (member.is_object() && member.contains("content")) name = &member.at("content");
    if (!name->is_string()) fail_input("expected the text of a token");
    const auto id = tokenizer.id_of(name->get_ref<const std::string&>());
    return id ? std::vector{*id} : std::vector<std::int64_t>();
}

std::vector<std::int64_t> known_ends_of(const Tokenizer& tokenizer) {
    std::vector<std::int64_t> ids;
    for (const char* name : known_ends)
        if (const auto id = tokenizer.id_of(name); id && tokenizer.is_special(*id))
            ids.push_back(*id);
    return ids;
}

template <typename Read>
std::vector<std::int64_t> read_at(const Path& file, const Place& place, const Read& read) {
    try {
        return read(member_of(file, place));
    } catch (Error& error) { throw error.at(quote(file.string(), 4096) + ": " + place.member); }
}

}  // namespace

std::vector<Path> tokenizer_places(const Path& model) {
    if (model.empty()) return {};
    const Path folder = folder_of(model);
    return {file_in(folder, "tokenizer.json"), file_in(folder / "..", "tokenizer.json")};
}

Path find_tokenizer(const Path& model) {
    const std::vector<Path> places = tokenizer_places(model);
    const auto found = std::ranges::find_if(places, is_file);
    return found == places.end() ? Path() : *found;
}

EndTokens find_end_tokens(const Path& model, const Path& tokenizer_file,
                          const Tokenizer* tokenizer) {
    std::vector<Path> folders;
    for (const Path& file : {model, tokenizer_file})
        if (!file.empty() && std::ranges::find(folders, folder_of(file)) == folders.end())
            folders.push_back(folder_of(file));
    for (const Place& place : number_places)
        for (const Path& folder : folders)
            if (auto ids = read_at(file_in(folder, place.file), place, numbers_of); !ids.empty())
                return {std::move(ids), place.file};
    if (!tokenizer) return {};
    const auto named = [&](const json& member) { return named_by(member, *tokenizer); };
    for (const Place& place : name_places)
        for (const Path& folder : folders)
            if (auto ids = read_at(file_in(folder, place.file), place, named); !ids.empty())
                return {std::move(ids), place.file};
    if (auto ids = known_ends_of(*tokenizer); !ids.empty())
        return {std::move(ids), "special tokens of the tokenizer"};
    return {};
}

std::vector<std::int64_t> encode_prompt(const Tokenizer& tokenizer, std::string_view text,
                                        const Model& decoder) {
    EncodeOptions whole;
    whole.most_tokens = std::numeric_limits<std::size_t>::max();
    whole.padded = false;
    std::vector<std::int64_t> ids = tokenizer.encode(text, whole).ids;
    if (ids.empty()) fail_input("the prompt has no tokens");
    const std::optional<std::int64_t> size = vocabulary_size(decoder);
    const std::int64_t most = std::ranges::max(ids);
    if (size && most >= *size)
        fail_input("the prompt has token " + std::to_string(most) + ", " +
                   quote(tokenizer.token_of(most).value_or("")) + ", and the model's are 0 to " +
                   std::to_string(*size - 1) + ": the tokenizer, of " +
                   std::to_string(tokenizer.size()) + " tokens, is another model's");
    return ids;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// The members of an object of tokenizer.json, each of which has to be known.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::tokens {

/// Reads members of one object. All functions throw Error{invalid_input} that names the place.
class JsonFields {
public:
    /// `place`: "normalizer", "pre_tokenizer.pretokenizers[1]".
    JsonFields(const nlohmann::json& object, std::string place);

    const std::string& place() const { return place_; }
    std::string place_of(std::string_view name) const;

    /// Null where the member is not there or is null.
    const nlohmann::json* find(const std::string& name);
    const nlohmann::json& get(const std::string& name);
    std::string text(const std::string& name);
    std::string text(const std::string& name, std::string otherwise);
    /// A text of one character.
    char32_t character(const std::string& name);
    bool flag(const std::string& name);
    bool flag(const std::string& name, bool otherwise);
    /// A whole number that is not negative.
    std::uint32_t number(const std::string& name);
    std::uint32_t number(const std::string& name, std::uint32_t otherwise);
    /// One of the words; its place among them.
    std::size_t word(const std::string& name, const std::vector<std::string_view>& words);
    std::size_t word(const std::string& name, const std::vector<std::string_view>& words,
                     std::size_t otherwise);
    /// The elements of a list, each an object, with their places.
    std::vector<JsonFields> list(const std::string& name);
    JsonFields object(const std::string& name);
    /// A member that changes no token.
    void ignore(const std::string& name) { known_.insert(name); }
    /// Refuses members that were not read.
    void finish() const;

    [[noreturn]] void fail(const std::string& message) const;

private:
    const nlohmann::json* object_;
    std::string place_;
    std::set<std::string> known_;
};

/// A whole number from 0 to 2^32 - 2.
std::uint32_t token_number(const nlohmann::json& value, const std::string& place);
/// A text of valid UTF-8 and at most 1 MiB.
const std::string& token_text(const nlohmann::json& value, const std::string& place);

}  // namespace lapidary::tokens

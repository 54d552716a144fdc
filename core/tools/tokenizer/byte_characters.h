// SPDX-License-Identifier: Apache-2.0
// The characters that stand for bytes in vocabularies of kind "ByteLevel" (GPT-2): each byte has
// one that can be printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lapidary::tokens {

/// Writes each byte as its character, in UTF-8.
void append_byte_characters(std::string_view bytes, std::string& text);
/// The bytes of such characters; nothing where another is among them.
std::optional<std::string> bytes_of_characters(std::string_view text);

}  // namespace lapidary::tokens

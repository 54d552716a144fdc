// SPDX-License-Identifier: Apache-2.0
// Settings of a session of ONNX Runtime by their names: attributes of SessionOptions, which each
// binding sets by a call of its own, and keys of the session configuration.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <lapidary/export/snippet.h>

namespace lapidary {

/// An attribute that a program sets by a statement. The statements are patterns for
/// attribute_statement().
struct SessionAttribute {
    std::string_view name;  // of the attribute in Python
    // those that it takes, with spaces between; "number" or "text": any
    std::string_view values;
    std::string_view python, c, cpp, csharp, rust;  // empty: the binding has no way to it
    // 1.N: first release whose other bindings have it
    int first_elsewhere = 0;
};
std::span<const SessionAttribute> session_attributes();
/// Null: there is none of that name that a statement sets.
const SessionAttribute* find_session_attribute(std::string_view name);

/// The statement in that language with the value put in. `value` is one that
/// session_setting_problem() has nothing against. Throws not_supported naming attribute, binding
/// and release where it has none.
std::string attribute_statement(const SessionAttribute& attribute, const std::string& value,
                                SnippetLanguage language, int minor);

/// Takes over an attribute that SnippetSettings has a member for ("intra_op_num_threads"); false:
/// it is none. Throws not_supported where the member is set already.
bool take_as_member(SnippetSettings& settings, const std::string& name, const std::string& value);

/// Throws not_supported where ONNX Runtime 1.`minor` does not read the key of its session
/// configuration.
void check_session_key(const std::string& key, int minor);

}  // namespace lapidary

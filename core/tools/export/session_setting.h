// SPDX-License-Identifier: Apache-2.0
// Settings of a session of ONNX Runtime by name: attributes of SessionOptions, for which each
// binding has separate calls, and keys of the session configuration.
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
    // allowed values, with spaces between; "number" or "text": any
    std::string_view values;
    std::string_view python, c, cpp, csharp, rust;  // empty: the binding cannot set it
    // 1.N: first release with it in bindings other than Python
    int first_elsewhere = 0;
};
std::span<const SessionAttribute> session_attributes();
/// Null: no such attribute has a statement.
const SessionAttribute* find_session_attribute(std::string_view name);

/// The statement in that language with the value. `value` must have no session_setting_problem().
/// Throws not_supported naming attribute, binding and release if there is no statement.
std::string attribute_statement(const SessionAttribute& attribute, const std::string& value,
                                SnippetLanguage language, int minor);

/// Stores the value of an attribute in the member of SnippetSettings for it
/// ("intra_op_num_threads"). False: there is no such member. Throws not_supported if the member is
/// set already.
bool take_as_member(SnippetSettings& settings, const std::string& name, const std::string& value);

/// Throws not_supported if ONNX Runtime 1.`minor` does not read this key of the session
/// configuration.
void check_session_key(const std::string& key, int minor);

}  // namespace lapidary

// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine says of edits, which is English, in the language of the window.
#pragma once

#include <QString>

#include <span>
#include <string>
#include <string_view>

namespace lapidary::app {

/// EditVerb::help in the language of the window.
QString editHelp(std::string_view help);
/// The sentences that editHelp() translates.
std::span<const char* const> knownEditHelp();

/// Why an edit is refused, or what is wrong with the model after it: known phrases are translated,
/// names and the rest stay as they are.
QString editReason(const std::string& sentence);

}  // namespace lapidary::app

// SPDX-License-Identifier: GPL-3.0-or-later
// All text that this program did not write goes through these functions: names, symbols, notes and
// metadata of files, attribute values, paths and error sentences. A node's name may have a
// megabyte, and a widget, an axis or a table would measure and lay out all of it.
#pragma once

#include <QString>

#include <filesystem>
#include <string_view>

namespace lapidary {

// UTF-16 units in a label, a cell, an axis or a title
inline constexpr qsizetype label_length = 300;
// in a tool tip, a sentence that wraps, an exported cell
inline constexpr qsizetype tip_length = 2000;

/// One line of at most `most` UTF-16 units: the middle of a longer text is left out ("…"), line
/// breaks, control characters and those that turn the direction of writing are shown as escapes
/// ("\n", "\u202E"). The time depends on `most`, not on the length of the text.
QString labelText(std::string_view utf8, qsizetype most = label_length);
QString labelText(const QString& text, qsizetype most = label_length);
inline QString labelText(const char* utf8, qsizetype most = label_length) {
    return labelText(std::string_view(utf8), most);
}

/// As labelText(), with as much text as the export of a table cell holds. The table itself shows
/// labelText() of it.
QString cellText(std::string_view utf8);

/// As labelText(), with line breaks kept and more of the text.
QString tipText(std::string_view utf8, qsizetype most = tip_length);
QString tipText(const QString& text, qsizetype most = tip_length);
inline QString tipText(const char* utf8, qsizetype most = tip_length) {
    return tipText(std::string_view(utf8), most);
}

/// As tipText(), for sentences that wrap: a word (what stands between spaces and slashes) longer
/// than a line loses its middle, so that no label asks for more width than a window has.
QString sentenceText(std::string_view utf8);
QString sentenceText(const QString& text);
inline QString sentenceText(const char* utf8) { return sentenceText(std::string_view(utf8)); }

/// Inserts places to break a line (zero-width spaces) into words longer than any line. For text
/// that is shown and not copied.
QString breakable(const QString& text);

/// The whole unchanged text: for paths that are opened, keys, and text that is saved or copied. It
/// must never be shown.
QString exactText(std::string_view utf8);

/// The path that a line edit, a file dialog or a saved project names.
std::filesystem::path toPath(const QString& path);

}  // namespace lapidary

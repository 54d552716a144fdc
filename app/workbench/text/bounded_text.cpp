// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/bounded_text.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr qsizetype longest_word = 60;      // fits into a line of any label
constexpr std::size_t most_utf8_bytes = 4;  // of a character
constexpr QChar ellipsis(0x2026), zero_width_space(0x200b);

/// Control characters, and those that reorder or break the line around them. The joiners of emoji
/// and scripts (U+200C, U+200D) stay.
bool isInvisible(char16_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200b || c == 0x200e ||
           c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) ||
           c == 0xfeff;
}

QString escaped(char16_t c) {
    switch (c) {
    case u'\n': return QStringLiteral("\\n");
    case u'\r': return QStringLiteral("\\r");
    case u'\t': return QStringLiteral("\\t");
    default:
        return QStringLiteral("\\u%1")
            .arg(uint(c), 4, 16, QLatin1Char('0'))
            .toUpper()
            .replace(1, 1, u'u');
    }
}

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The first `most` units; never half of a surrogate pair.
QString beginningOf(const QString& text, qsizetype most) {
    return text.left(most > 0 && most < text.size() && text[most - 1].isHighSurrogate() ? most - 1
                                                                                        : most);
}
QString endOf(const QString& text, qsizetype most) {
    const qsizetype from = std::max<qsizetype>(0, text.size() - most);
    return text.mid(from > 0 && from < text.size() && text[from].isLowSurrogate() ? from + 1
                                                                                  : from);
}

QString withoutMiddle(const QString& text, qsizetype most) {
    if (text.size() <= most) return text;
    const qsizetype head = most - 1 - (most - 1) / 2;
    return beginningOf(text, head) + ellipsis + endOf(text, most - 1 - head);
}

QString visible(const QString& text, bool keepsLines) {
    const auto isOdd = [&](QChar c) {
        return isInvisible(c.unicode()) && !(keepsLines && c == u'\n');
    };
    if (std::none_of(text.begin(), text.end(), isOdd)) return text;
    QString all;
    all.reserve(text.size() + 16);
    for (const QChar c : text) isOdd(c) ? all += escaped(c.unicode()) : all += c;
    return all;
}

bool endsWord(QChar c) { return c.isSpace() || c == u'/' || c == u'\\'; }

QString withShortWords(const QString& text) {
    QString all;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype end = at;
        while (end < text.size() && !endsWord(text[end])) ++end;
        all += withoutMiddle(text.mid(at, end - at), longest_word);
        if (end < text.size()) all += text[end++];
        at = end;
    }
    return all;
}

QString bounded(const QString& text, qsizetype most, bool keepsLines) {
    // Escapes make a text longer, so it is cut before and after they are inserted.
    return withoutMiddle(visible(withoutMiddle(text, most), keepsLines), most);
}

QString bounded(std::string_view utf8, qsizetype most, bool keepsLines) {
    const std::size_t part = std::size_t(most) * most_utf8_bytes;
    if (utf8.size() <= 2 * part) return bounded(exactText(utf8), most, keepsLines);
    std::size_t head = part, tail = utf8.size() - part;
    for (std::size_t i = 0; i < most_utf8_bytes && isContinuation(utf8[head]); ++i) --head;
    for (std::size_t i = 0; i < most_utf8_bytes && isContinuation(utf8[tail]); ++i) ++tail;
    // Each part has at least `most` units, so that the place where they meet is in the part that is
    // left out.
    return bounded(exactText(utf8.substr(0, head)) + exactText(utf8.substr(tail)), most,
                   keepsLines);
}

}  // namespace

QString labelText(std::string_view utf8, qsizetype most) { return bounded(utf8, most, false); }
QString labelText(const QString& text, qsizetype most) { return bounded(text, most, false); }
QString tipText(std::string_view utf8, qsizetype most) { return bounded(utf8, most, true); }
QString tipText(const QString& text, qsizetype most) { return bounded(text, most, true); }

QString cellText(std::string_view utf8) { return bounded(utf8, tip_length, false); }
QString sentenceText(std::string_view utf8) { return withShortWords(tipText(utf8)); }
QString sentenceText(const QString& text) { return withShortWords(tipText(text)); }

QString breakable(const QString& text) {
    QString all;
    qsizetype word = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        word = text[i].isSpace() ? 0 : word + 1;
        all += text[i];
        if (word < longest_word || text[i].isHighSurrogate()) continue;
        if (i + 1 < text.size() && (text[i + 1].isMark() || text[i + 1].isLowSurrogate())) continue;
        all += zero_width_space;
        word = 0;
    }
    return all;
}

QString exactText(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

std::filesystem::path toPath(const QString& path) {
    return std::filesystem::path(path.toStdU16String());
}

}  // namespace lapidary

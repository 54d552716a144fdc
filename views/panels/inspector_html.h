// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the Inspector's rich text; everything that comes from a file passes through escape().
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QString>

#include <algorithm>

#include "panels/inspector_text.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

class InspectorHtml {
    Q_DECLARE_TR_FUNCTIONS(lapidary::views::InspectorPanel)
public:
    explicit InspectorHtml(const QPalette& palette)
        : colors_(themeColors(palette)), palette_(palette) {}

    static QString text(const std::string& s, qsizetype most = label_length) {
        return labelText(s, most);
    }
    static QString escape(const QString& s) { return withBreaks(s).toHtmlEscaped(); }
    static QString escape(const std::string& s) { return escape(text(s)); }
    /// Inserts places to break a line (zero-width spaces) after punctuation in long words, so that
    /// names of tensors, domains and paths break there.
    static QString withBreaks(const QString& s) {
        constexpr qsizetype longWord = 14, shortest = 4, longest = 24;  // without a sign: checksums
        QString result;
        qsizetype begin = 0;
        while (begin < s.size()) {
            qsizetype end = begin;
            while (end < s.size() && !s[end].isSpace()) ++end;
            for (qsizetype i = begin, since = 0; i < end; ++i) {
                result += s[i];
                ++since;
                const bool sign = s[i].isPunct() || s[i].isSymbol();
                if (end - begin < longWord || since < (sign ? shortest : longest) ||
                    end - i - 1 < shortest)
                    continue;
                result += QChar(0x200b);
                since = 0;
            }
            if (end < s.size()) result += s[end];
            begin = end + 1;
        }
        return result;
    }

    void title(const QString& plain, const QString& under = {}) {
        html_ += QStringLiteral("<div style='font-size:large; font-weight:600'>%1</div>")
                     .arg(escape(plain));
        if (!under.isEmpty()) html_ += QStringLiteral("<div>%1</div>").arg(muted(escape(under)));
    }
    static constexpr qsizetype longestKey = 20;  // characters beside which a value still has room
    static constexpr qsizetype longestOperator =
        28;  // characters beside which a bar still has room
    void heading(const QString& plain) {
        closeTable();
        html_ +=
            QStringLiteral(
                "<p style='margin-top:14px; margin-bottom:4px; color:%1; font-weight:600'>%2</p>")
                .arg(colors_.accent.name(), escape(plain));
    }
    void row(const QString& key, const QString& html) {
        if (html.isEmpty()) return;
        if (!inTable_) html_ += QStringLiteral("<table cellspacing='0' cellpadding='2'>");
        inTable_ = true;
        html_ += QStringLiteral(
                     "<tr><td style='color:%1; padding-right:10px; "
                     "white-space:nowrap'>%2</td><td>%3</td></tr>")
                     .arg(colors_.mutedText.name(), escape(key), html);
    }
    /// Metadata of a file: one row each, only the first if there are many.
    void rows(const StringPairs& metadata) {
        constexpr std::size_t mostPairs = 40;
        for (std::size_t i = 0; i < std::min(metadata.size(), mostPairs); ++i)
            row(text(metadata[i].first, longestKey), escape(metadata[i].second));
        if (metadata.size() > mostPairs)
            paragraph(
                muted(tr("… and %n more", nullptr, static_cast<int>(metadata.size() - mostPairs))));
    }
    void paragraph(const QString& html) {
        closeTable();
        html_ += QStringLiteral("<p style='margin-top:2px; margin-bottom:4px'>%1</p>").arg(html);
    }
    QString muted(const QString& html) const {
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(colors_.mutedText.name(), html);
    }
    QString colored(const QString& html, const QColor& color) const {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(color.name(), html);
    }
    /// A filled bar of `length` pixels, then the text.
    static QString bar(int length, const QColor& color, const QString& html) {
        return QStringLiteral(
                   "<table cellspacing='0' cellpadding='0'><tr><td bgcolor='%1' "
                   "width='%2'></td><td "
                   "style='white-space:nowrap'>&nbsp;%3</td></tr></table>")
            .arg(color.name())
            .arg(length)
            .arg(html);
    }
    QString link(const QString& plain, const app::Focus& focus) {
        links_.push_back(focus);
        return QStringLiteral("<a href='link:%1'>%2</a>")
            .arg(links_.size() - 1)
            .arg(escape(plain.isEmpty() ? tr("(unnamed)") : plain));
    }
    QString link(const QString& plain, InspectorRequest request) {
        requests_.push_back(std::move(request));
        return QStringLiteral("<a href='request:%1'>%2</a>")
            .arg(requests_.size() - 1)
            .arg(escape(plain));
    }
    /// Offers to look at the values themselves; not of a model that cannot run.
    void insideOffer(const app::Document& document) {
        if (!document.faults.empty()) return;
        paragraph(QStringLiteral("<a href='%1'>%2</a>")
                      .arg(QLatin1String(insideLink), tr("Look inside …")));
    }
    InspectorText finish() {
        closeTable();
        return {std::move(html_), std::move(links_), std::move(requests_), false};
    }
    const ThemeColors& colors() const { return colors_; }
    const QPalette& palette() const { return palette_; }

private:
    void closeTable() {
        if (inTable_) html_ += QStringLiteral("</table>");
        inTable_ = false;
    }
    const ThemeColors& colors_;
    const QPalette& palette_;
    QString html_;
    std::vector<app::Focus> links_;
    std::vector<InspectorRequest> requests_;
    bool inTable_ = false;
};

}  // namespace lapidary::views

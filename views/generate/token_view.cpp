// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/token_view.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextCharFormat>

#include <algorithm>
#include <utility>

#include "models/rows_model.h"
#include "theme/theme.h"

namespace lapidary::views {
namespace {

bool beginsWith(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& first) {
    return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
}

}  // namespace

TokenView::TokenView(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("tokenView"));
    setAccessibleName(tr("Prompt and tokens"));
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setFont(monospaceFont());
    setPlaceholderText(tr("Tokens appear here."));
}

void TokenView::setTokens(const std::vector<std::int64_t>& prompt,
                          const app::GenerateRecord* record) {
    std::vector<std::int64_t> tokens, other;
    if (record && !record->sides.empty()) tokens = record->sides[0].tokens;
    if (record && record->sides.size() > 1) other = record->sides[1].tokens;
    const bool grows = record && prompt == prompt_ && !tokens_.empty() &&
                       beginsWith(tokens, tokens_) && beginsWith(other, other_) &&
                       (other_.size() == tokens_.size() || other.empty());
    const std::size_t shown = tokens_.size();
    prompt_ = record ? prompt : std::vector<std::int64_t>();
    tokens_ = std::move(tokens);
    other_ = std::move(other);
    if (grows) append(shown);
    else rebuild();
}

void TokenView::rebuild() {
    clear();
    marked_ = 0;
    if (prompt_.empty()) return;
    QTextCharFormat muted;
    muted.setForeground(themeColors(palette()).mutedText);
    QStringList words;
    for (const std::int64_t token : prompt_) words << QString::number(token);
    QTextCursor cursor(document());
    cursor.insertText(words.join(u' ') + QStringLiteral(" →"), muted);
    append(0);
}

void TokenView::append(std::size_t first) {
    const bool wasAtEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    const QTextCharFormat plain;
    QTextCharFormat marked;
    marked.setForeground(themeColors(palette()).warning);
    marked.setFontUnderline(true);
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    for (std::size_t i = first; i < tokens_.size(); ++i) {
        cursor.insertText(QStringLiteral(" "), plain);
        const bool differs = i < other_.size() && other_[i] != tokens_[i];
        if (differs) {
            ++marked_;
            marked.setToolTip(plainToolTip(tr("B would have chosen %1").arg(other_[i])));
        }
        cursor.insertText(QString::number(tokens_[i]), differs ? marked : plain);
    }
    cursor.endEditBlock();
    if (wasAtEnd) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TokenView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) rebuild();
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/token_view.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextCharFormat>

#include <algorithm>
#include <utility>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

template <typename T>
bool beginsWith(const std::vector<T>& all, const std::vector<T>& first) {
    return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
}

QString numbersOf(const std::vector<std::int64_t>& tokens) {
    QStringList words;
    for (const std::int64_t token : tokens) words << QString::number(token);
    return words.join(u' ');
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
    document()->setDocumentMargin(12);
    setPlaceholderText(tr("Tokens appear here."));
}

void TokenView::setRecord(const app::GenerateRecord* record, const QString& prompt) {
    std::vector<std::int64_t> tokens, other;
    std::vector<std::string> pieces;
    QString before;
    if (record && !record->sides.empty()) tokens = record->sides[0].tokens;
    if (record && record->sides.size() > 1) other = record->sides[1].tokens;
    if (record) {
        pieces = record->pieces;
        before = prompt.isEmpty() ? numbersOf(record->prompt) : tipText(prompt);
    }
    // A side that was measured already is one ahead of the text and of the other side.
    std::size_t whole = tokens.size();
    if (!pieces.empty() || !pieces_.empty()) whole = std::min(whole, pieces.size());
    if (!other.empty()) whole = std::min(whole, other.size());
    tokens.resize(whole);
    pieces.resize(std::min(whole, pieces.size()));
    other.resize(std::min(whole, other.size()));
    const bool grows = before == prompt_ && !tokens_.empty() && beginsWith(tokens, tokens_) &&
                       beginsWith(other, other_) && beginsWith(pieces, pieces_) &&
                       other.empty() == other_.empty() && pieces.empty() == pieces_.empty();
    const std::size_t shown = tokens_.size();
    prompt_ = before;
    tokens_ = std::move(tokens);
    other_ = std::move(other);
    pieces_ = std::move(pieces);
    if (grows) append(shown);
    else rebuild();
}

QString TokenView::wordOf(std::size_t token) const {
    if (!pieces_.empty()) return tipText(pieces_[token]);
    return QStringLiteral(" ") + QString::number(tokens_[token]);
}

void TokenView::rebuild() {
    clear();
    marked_ = 0;
    if (prompt_.isEmpty()) return;
    QTextCharFormat muted;
    muted.setForeground(themeColors(palette()).mutedText);
    QTextCursor cursor(document());
    cursor.insertText(pieces_.empty() ? prompt_ + QStringLiteral(" →") : prompt_, muted);
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
        const bool differs = i < other_.size() && other_[i] != tokens_[i];
        if (differs) {
            ++marked_;
            marked.setToolTip(plainToolTip(tr("B would have chosen %1").arg(other_[i])));
        }
        cursor.insertText(wordOf(i), differs ? marked : plain);
    }
    cursor.endEditBlock();
    if (wasAtEnd) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TokenView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) rebuild();
}

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// Code in help pages stands apart from the text around it.
#pragma once

#include <QTextDocument>

namespace lapidary::views {

/// Indents the code blocks of a document made from Markdown, which have no margins, and leaves room
/// above and below each. May be called again on the same document.
void setCodeBlocksApart(QTextDocument& document);

}  // namespace lapidary::views

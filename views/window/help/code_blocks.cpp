// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/code_blocks.h"

#include <QTextBlock>
#include <QTextCursor>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

bool isCode(const QTextBlock& block) {
    return block.isValid() && block.blockFormat().hasProperty(QTextFormat::BlockCodeFence);
}

}  // namespace

void setCodeBlocksApart(QTextDocument& document) {
    QTextCursor all(&document);
    all.beginEditBlock();  // one layout for all blocks
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (!isCode(block)) continue;
        QTextBlockFormat format;
        format.setLeftMargin(2 * spacing);
        format.setTopMargin(isCode(block.previous()) ? 0 : spacing);
        format.setBottomMargin(isCode(block.next()) ? 0 : spacing);
        QTextCursor(block).mergeBlockFormat(format);
    }
    all.endEditBlock();
}

}  // namespace lapidary::views

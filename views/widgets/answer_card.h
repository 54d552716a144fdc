// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lapidary::views {

/// The frame behind a page's answer in a sentence: rounded, with a bar in the accent colour on its left. For paintEvent().
void paintAnswerCard(QWidget& card);

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which CPU a file was saved for, if its channels lie in blocks of ONNX Runtime's own layout.
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace lapidary::views {

/// Asks without blocking. `chosen` is called with 8 or 16, or not at all if the user cancels.
/// `reason`: channel_block_problem(), shown on demand.
void askChannelBlock(QWidget* parent, const QString& path, const QString& reason,
                     std::function<void(int)> chosen);

}  // namespace lapidary::views

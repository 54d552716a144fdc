// SPDX-License-Identifier: GPL-3.0-or-later
// The question for which CPU a file was saved whose channels lie in blocks of ONNX Runtime's own
// layout.
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace lapidary::views {

/// Asks without blocking; `chosen` gets 8 or 16, and is not called when the user gives up.
/// `reason`: channel_block_problem(), shown on demand.
void askChannelBlock(QWidget* parent, const QString& path, const QString& reason,
                     std::function<void(int)> chosen);

}  // namespace lapidary::views

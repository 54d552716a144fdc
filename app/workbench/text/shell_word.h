// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lapidary::app {

/// One word of a POSIX command line, quoted where it must be.
QString shellWord(const QString& word);

}  // namespace lapidary::app

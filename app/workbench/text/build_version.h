// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lapidary::app {

/// "0.1.0 (commit 5657af6f0d1e)" of "0.1.0": with the commit that the build was configured from.
QString withCommit(const QString& version);

}  // namespace lapidary::app

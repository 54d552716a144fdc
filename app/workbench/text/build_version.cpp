// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/build_version.h"

#include "worker/process/build_commit.h"

namespace lapidary::app {

QString withCommit(const QString& version) {
    return QStringLiteral("%1 (commit %2)").arg(version, QString::fromLatin1(build_commit()));
}

}  // namespace lapidary::app

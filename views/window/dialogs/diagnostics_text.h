// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody who looks for a fault of this program has to know, without what a model is about.
#pragma once

#include <QString>
#include <QStringList>

#include "workbench/workbench.h"

namespace lapidary::views {

/// The text with "…" for what stands in quotes, which names nodes and values, and with <path>,
/// <file> and <name> for paths, for files of kinds that the program opens, for "user@host" and for
/// `names`. A path with spaces goes on to the next ": ", quote or end of the line.
QString withoutNames(QString text, QStringList names);

/// Lines "key: value", not translated, for those who read it may not know the user's language:
/// versions, machine, display, settings that hold no names, the size of the open model; then the
/// lines of `log`, which have gone through withoutNames(). Call it on the GUI thread.
QString diagnosticsText(app::Workbench& workbench, const QString& log);

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
// Describes a plugin or an engine as HTML.
#pragma once

#include <QPalette>
#include <QString>

#include "workbench/jobs/plugin_list.h"

namespace lapidary::views {

QString pluginDetails(const app::PluginProbe& probe, const QPalette& palette);
QString engineDetails(const OnnxRuntimeInfo& engine, const QPalette& palette);

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workbench/project/project.h"

namespace lapidary::app {

/// A project that was read and whose model is not open yet.
struct Project::Pending {
    QString path;
    ProjectState state;
    bool modified = false;  // from a journal
    bool loading = false;   // the workbench was asked to open the model
};

}  // namespace lapidary::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workbench/project/project.h"

namespace lapidary::app {

/// A project that was read, while its model is being opened.
struct Project::Pending {
    QString path;
    ProjectState state;
    bool modified = false;  // true: it comes from a journal
    bool loading = false;   // true: the model is being loaded
};

}  // namespace lapidary::app

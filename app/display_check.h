// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lapidary::app {

/// Why no window could be opened here, or nothing. Qt would abort the process instead of saying it.
/// `platformChosen`: the user named a platform plugin, which is then trusted.
std::optional<QString> displayProblem(bool platformChosen);

}  // namespace lapidary::app

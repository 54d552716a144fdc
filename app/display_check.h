// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lapidary::app {

/// Why no window can be opened; empty: one can. Qt itself would abort the process.
/// `platformChosen`: the user chose a platform plugin, which is not checked.
std::optional<QString> displayProblem(bool platformChosen);

}  // namespace lapidary::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/forms/edit_fields.h"

namespace lapidary::views {

/// The fields for a form: those made for it, or a field for each of its places. Workbench and model
/// have to outlive them.
EditFields* makeFields(const QString& form, app::Workbench& workbench, const FormModel& model,
                       const EditTarget& target);

}  // namespace lapidary::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/forms/edit_target.h"
#include "graph/forms/form_parts.h"
#include "graph/forms/place_field.h"

namespace lapidary::views {

/// The field for a place of a form, filled in from the target. An attribute (NODES.ATTRIBUTE) has
/// two fields: `place` is the word before or behind the dot. `kind` is that of the part.
PlaceField* makePlaceField(const QString& form, const QString& place, FormPart::Kind kind,
                           const FormModel& model, const EditTarget& target);

}  // namespace lapidary::views

// SPDX-License-Identifier: Apache-2.0
// The functions of edit_verbs.inc.
#pragma once

#include "edit/edit_context.h"

namespace lapidary {
namespace verbs {
#define LAPIDARY_EDIT_VERB(function, form, effect, help) \
    void function(EditContext& context, const EditArguments& arguments);
#include "edit/edit_verbs.inc"
#undef LAPIDARY_EDIT_VERB
}  // namespace verbs

/// Applies a line: the function of the form at this place of edit_verbs().
void call_edit_verb(std::size_t place, EditContext& context, const EditArguments& arguments);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <lapidary/edit/edit_verbs.h>

#include "edit/edit_verb_functions.h"

namespace lapidary {
namespace {

constexpr std::string_view first_word(std::string_view form) {
    return form.substr(0, form.find(' '));
}

#define LAPIDARY_EDIT_VERB(function, form, effect, help) \
    EditVerb{first_word(form), form, EditEffect::effect, help},
constexpr std::array verb_list{
#include "edit/edit_verbs.inc"
};
#undef LAPIDARY_EDIT_VERB

using VerbFunction = void (*)(EditContext&, const EditArguments&);
#define LAPIDARY_EDIT_VERB(function, form, effect, help) VerbFunction(&verbs::function),
constexpr std::array verb_functions{
#include "edit/edit_verbs.inc"
};
#undef LAPIDARY_EDIT_VERB

}  // namespace

std::span<const EditVerb> edit_verbs() { return verb_list; }

void call_edit_verb(std::size_t place, EditContext& context, const EditArguments& arguments) {
    verb_functions.at(place)(context, arguments);
}

}  // namespace lapidary

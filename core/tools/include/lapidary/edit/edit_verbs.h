// SPDX-License-Identifier: Apache-2.0
// The verbs of edit scripts, for help, completion and forms. edit_verbs.inc lists them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lapidary {

/// What a verb does to the results of a model.
enum class EditEffect : std::uint8_t {
    keeps,    // outputs stay what they were, within rounding
    changes,  // outputs may be others: their difference is shown
    depends,  // on what the line does: the report of the line says it
};

/// One form of a verb. Several forms of one verb are listed one after another.
struct EditVerb {
    std::string_view verb;  // "insert", the first word of the form
    /// Words in lower case are written as they stand, `a|b` is one of them, `[...]` may be left
    /// out, words in capitals are replaced: NODE is one node, NODES one or more, both as
    /// edit_select.h says; likewise VALUE and VALUES; NAME,... is a list; words that end in * are
    /// all that follow.
    std::string_view form;                    // "delete NODES [bridge|cut]"
    EditEffect effect = EditEffect::changes;  // on results
    std::string_view help;                    // one sentence
};

/// In the order of the help.
std::span<const EditVerb> edit_verbs();

}  // namespace lapidary

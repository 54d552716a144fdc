// SPDX-License-Identifier: Apache-2.0
// A session is right when its third run on changed inputs is right: the first takes its memory from the heap, later ones
// from a plan.
#pragma once

#include <cstddef>
#include <optional>

#include <lapidary/progress.h>
#include <lapidary/runtime_value.h>
#include <lapidary/session.h>

namespace lapidary {

/// Other inputs of the same types and shapes that a model should take as well: elements in reverse order, of integer and
/// bool tensors only from rank 2 on (those of lower rank may be sizes, axes or counts).
NamedValues changed_inputs(const NamedValues& inputs);

/// What three runs of one session gave.
struct RepeatedRun {
    static constexpr std::size_t runs = 3;
    NamedValues first;                   // on the inputs
    std::optional<NamedValues> changed;  // on the changed ones; nothing where the model refuses those
    NamedValues third;                   // on the inputs again
};

/// Runs the session on `inputs`, on `changed`, on `inputs` again. Throws what the first and third run throw, and cancelled.
RepeatedRun run_repeatedly(Session& session, const NamedValues& inputs, const NamedValues& changed, const CancelToken& cancel = {});

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// A session is right when its last run is right after runs on other inputs: the first takes its
// memory from the heap, later ones from a plan.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/exec/session.h>

namespace lapidary {

/// Other inputs of the same types and shapes that a model should take as well: elements in reverse
/// order, of integer and bool tensors only from rank 2 on (those of lower rank may be sizes, axes
/// or counts).
NamedValues changed_inputs(const NamedValues& inputs, const CancelToken& cancel = {});

/// What the runs of one session gave.
struct RepeatedRun {
    NamedValues first;  // on the inputs
    /// on others; nothing where the model refuses them
    std::vector<std::optional<NamedValues>> between;
    NamedValues last;  // on the inputs again
    /// wall time of that run; odd inputs may take far longer
    double last_ms = 0;

    std::size_t runs() const { return between.size() + 2; }  // first, those between, last
};

/// Runs the session on `inputs`, on each of `others`, on `inputs` again. Throws what the first and
/// last run throw, what the others throw beside what refuses inputs, and cancelled.
RepeatedRun run_repeatedly(Session& session, const NamedValues& inputs,
                           std::span<const NamedValues> others, const CancelToken& cancel = {});

}  // namespace lapidary

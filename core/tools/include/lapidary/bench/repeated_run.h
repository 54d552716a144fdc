// SPDX-License-Identifier: Apache-2.0
// Runs a session on one set of inputs, on others, and on the first again. The first run takes its
// memory from the heap and later ones from a plan, so that only the last shows that the plan is
// right.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/exec/session.h>

namespace lapidary {

/// Other inputs of the same types and shapes that a model should accept: the elements in reverse
/// order. Integer and bool tensors of rank 0 and 1 stay, since they may be sizes, axes or counts.
NamedValues changed_inputs(const NamedValues& inputs, const CancelToken& cancel = {});

/// Outputs of the runs of one session.
struct RepeatedRun {
    NamedValues first;  // on the inputs
    /// on other inputs; nothing: the model refuses them
    std::vector<std::optional<NamedValues>> between;
    NamedValues last;  // on the inputs again
    /// wall time of the last run; runs on other inputs may take far longer
    double last_ms = 0;

    std::size_t runs() const { return between.size() + 2; }  // first, those between, last
};

/// Runs the session on `inputs`, on each of `others`, on `inputs` again. Throws as Session::run(),
/// except that errors by which a model refuses `others` are not thrown.
RepeatedRun run_repeatedly(Session& session, const NamedValues& inputs,
                           std::span<const NamedValues> others, const CancelToken& cancel = {});

}  // namespace lapidary

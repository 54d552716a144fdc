// SPDX-License-Identifier: Apache-2.0
// Long work for Python that Ctrl-C ends and that reports how far it is.
#pragma once

#include <functional>
#include <optional>

#include <pybind11/pybind11.h>

#include <lapidary/base/progress.h>

namespace lapidary::python {

/// Runs `work` on a separate thread without Python's lock, while this thread waits with an eye on
/// signals. Ctrl-C, or whatever else a signal handler of Python raises, cancels the work.
/// `on_progress` is None or a function of a stage (str) and a fraction (float in [0, 1], or None);
/// this thread calls it, a few times a second; what it raises cancels the work too. Returns what
/// was raised, once the work has ended; nothing: the work came to its end. Throws what `work`
/// throws, unless something was raised.
std::optional<pybind11::error_already_set> run_waiting(
    const pybind11::object& on_progress, const std::function<void(const Progress&)>& work);

/// The same, and throws what was raised.
void run_or_raise(const pybind11::object& on_progress,
                  const std::function<void(const Progress&)>& work);

}  // namespace lapidary::python

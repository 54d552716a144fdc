// SPDX-License-Identifier: Apache-2.0
#include "python/command_call.h"

#include <chrono>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "worker/process/command_program.h"

#include "cli/command_line.h"
#include "cli/command_list.h"

#include "python/given_options.h"
#include "python/waiting_call.h"

namespace lapidary::python {
namespace py = pybind11;

namespace {

py::list command_list() {
    const cli::Program program;
    py::list commands;
    for (const cli::DeclaredCommand& declared : program.commands) {
        py::dict command;
        command["name"] = declared.name;
        command["summary"] = declared.text.summary;
        command["notes"] = declared.text.notes;
        command["examples"] = declared.text.examples;
        command["options"] = option_dicts(*declared.options);
        commands.append(command);
    }
    return commands;
}

/// Locks the mutex, unless the call is cancelled before.
std::unique_lock<std::timed_mutex> lock_or_cancel(std::timed_mutex& mutex,
                                                  const Progress& progress) {
    std::unique_lock lock(mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(50))) progress.cancel.throw_if_cancelled();
    return lock;
}

py::tuple call_command(const std::vector<std::string>& arguments, const py::object& on_progress) {
    static std::timed_mutex one_at_a_time;
    std::ostringstream out, err;
    int code = cli::exit_cancelled;
    auto raised = run_waiting(on_progress, [&](const Progress& progress) {
        const auto lock = lock_or_cancel(one_at_a_time, progress);
        std::vector<const char*> words{"lapidary-cli"};
        for (const std::string& argument : arguments) words.push_back(argument.c_str());
        cli::TerminalFeatures features;
        features.on_progress = progress.report;
        code = cli::run_command_line(static_cast<int>(words.size()), words.data(), out, err,
                                     progress.cancel, features);
    });
    if (raised) {
        // what was complete before, for the caller who wants it
        raised->value().attr("lapidary_output") = py::bytes(out.str());
        throw std::move(*raised);
    }
    return py::make_tuple(code, py::bytes(out.str()), py::bytes(err.str()));
}

}  // namespace

void add_commands(py::module_& module) {
    module.def("commands", &command_list);
    module.def("use_program", &app::set_command_program, py::arg("file"));
    module.def("call_command", &call_command, py::arg("arguments"),
               py::arg("on_progress") = py::none());
}

}  // namespace lapidary::python

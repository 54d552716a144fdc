// SPDX-License-Identifier: Apache-2.0
#include "python/session_object.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>

#include "cli/models/model_at_level.h"
#include "cli/models/model_inputs.h"
#include "cli/options/level_options.h"
#include "cli/options/provider_options.h"
#include "cli/options/session_options.h"
#include "cli/run/compute_choice.h"

#include "python/given_options.h"
#include "python/made_objects.h"
#include "python/model_object.h"
#include "python/tensor_exchange.h"
#include "python/waiting_call.h"

namespace lapidary::python {
namespace py = pybind11;

namespace {

/// How the session is made.
struct SessionRequest {
    cli::LevelOptions level;
    RunConfiguration configuration;
    cli::ProviderOptions providers;

    void declare(cli::OptionList& options) {
        cli::add_level_options(options, level);
        cli::add_run_configuration(options, configuration);
        cli::add_config(options, configuration.resources.config);
        cli::add_compute(options, configuration.resources.config);
        cli::add_provider_options(options, providers);
    }
};

/// True on the thread that handles signals in Python, with whose lock it is called.
bool is_main_thread() {
    const py::module_ threading = py::module_::import("threading");
    return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

/// Cancels a run once Python has a signal to handle, which only its main thread does.
class SignalWatch {
public:
    /// Called between the steps of a run, without Python's lock.
    void look(const CancelToken& cancel) {
        if (std::this_thread::get_id() != caller_ || raised_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() == 0) return;
        raised_ = py::error_already_set();
        cancel.cancel();
    }
    /// With Python's lock: throws what was raised.
    void raise() {
        if (raised_) throw std::move(*raised_);
    }

private:
    const std::thread::id caller_ = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::optional<py::error_already_set> raised_;
};

class HeldSession {
public:
    using Objects = std::vector<std::pair<std::string, py::object>>;

    HeldSession(const HeldModel& model, const std::vector<std::string>& arguments,
                const py::object& on_progress) {
        SessionRequest request;
        parse_given("Session", arguments,
                    [&request](cli::OptionList& options) { request.declare(options); });
        run_or_raise(on_progress, [&](const Progress& progress) {
            cli::LoadedModel loaded = cli::bring_to_level(*model.model, request.level, progress,
                                                          false, !request.providers.wanted.empty());
            original_ = model.model;
            SessionOptions options;
            options.session_passes = loaded.session_passes;
            options.resources = request.configuration.resources;
            request.providers.apply(options);
            if (cli::wants_choice(options.resources.config))
                cli::settle_compute(loaded.model, options,
                                    cli::gather_inputs(*loaded.model, {}, progress.cancel).values,
                                    progress);
            level_ = loaded.report.level;
            session_.emplace(Session::compile(loaded.model, options, progress));
        });
    }

    Objects run(const Objects& inputs, const std::vector<std::string>& outputs,
                const Objects& buffers) {
        NamedValues values;
        for (const auto& [name, object] : inputs) values.emplace_back(name, value_of(object));
        RunOptions options;
        options.extra_outputs = inner_of(outputs);
        check_inner(options.extra_outputs);
        for (const auto& [name, object] : buffers)
            options.output_buffers.push_back({name, object.cast<Tensor>()});
        const auto begin = std::chrono::steady_clock::now();
        const RunResult result =
            is_long_ && is_main_thread() ? run_watched(values, options) : run_here(values, options);
        is_long_ = std::chrono::steady_clock::now() - begin > long_run;
        Objects made;
        for (const auto& [name, value] : result.outputs)
            if (outputs.empty() || std::ranges::find(outputs, name) != outputs.end())
                made.emplace_back(name, object_of(value));
        return made;
    }

    Objects generate_inputs(std::uint64_t seed, std::map<std::string, std::int64_t> sizes) const {
        cli::InputOptions options;
        options.seed = seed;
        options.dimensions = std::move(sizes);
        Objects made;
        for (const auto& [name, value] :
             cli::gather_inputs(*original_, options, CancelToken()).values)
            made.emplace_back(name, object_of(value));
        return made;
    }

    /// (name, element type) of each input that has no default.
    std::vector<std::pair<std::string, std::string>> inputs() const {
        std::vector<std::pair<std::string, std::string>> ports;
        const Graph& graph = session_->model().graph;
        for (const ValueId id : graph.inputs())
            ports.emplace_back(graph.value(id).name,
                               std::string(name_of(graph.value(id).type.dtype)));
        return ports;
    }
    std::vector<std::string> outputs() const {
        std::vector<std::string> names;
        const Graph& graph = session_->model().graph;
        for (const ValueId id : graph.outputs()) names.push_back(graph.value(id).name);
        return names;
    }
    int threads() const { return session_->threads(); }
    std::string level() const { return std::string(name_of(level_)); }
    std::size_t nodes() const { return count_nodes(session_->model().graph); }

private:
    // Of a run of this length a thread beside it, which looks for signals within its steps too,
    // costs less than a hundredth.
    static constexpr std::chrono::milliseconds long_run{20};

    /// Runs on a thread beside this one, which waits with an eye on signals.
    RunResult run_watched(const NamedValues& values, RunOptions& options) {
        RunResult result;
        run_or_raise(py::none(), [&](const Progress& progress) {
            options.cancel = progress.cancel;
            result = session_->run(values, options);
        });
        return result;
    }

    /// Runs on this thread, and looks for signals between the steps.
    RunResult run_here(const NamedValues& values, RunOptions& options) {
        SignalWatch watch;
        options.progress = [&](int, int) { watch.look(options.cancel); };
        RunResult result;
        {
            const py::gil_scoped_release released;
            try {
                result = session_->run(values, options);
            } catch (...) {
                const py::gil_scoped_acquire acquired;
                watch.raise();
                throw;
            }
        }
        watch.raise();
        return result;
    }

    /// Those of the names that are no outputs of the graph.
    std::vector<std::string> inner_of(const std::vector<std::string>& names) const {
        std::vector<std::string> inner;
        const std::vector<std::string> own = outputs();
        for (const std::string& name : names)
            if (std::ranges::find(own, name) == own.end()) inner.push_back(name);
        return inner;
    }

    /// Says of a name that the model had before it was optimized why the session has it not.
    void check_inner(const std::vector<std::string>& names) const {
        for (const std::string& name : names)
            if (level_ != Level::disabled && !session_->model().graph.find_value(name) &&
                original_->graph.find_value(name))
                fail_input(
                    "the value " + quote(name) + " is not computed at level " + level() +
                    ", where nodes are merged: a session with level=\"disabled\" returns it");
    }

    ModelPtr original_;
    std::optional<Session> session_;
    Level level_ = Level::disabled;
    std::atomic<bool> is_long_ = true;  // the last run was, or there was none
};

}  // namespace

void add_session_class(py::module_& module) {
    module.def("session_options", [] {
        SessionRequest request;
        return described_options(
            [&request](cli::OptionList& options) { request.declare(options); });
    });
    py::class_<HeldSession> type(module, "Session");
    refuse_construction(type);
    type.def("run", &HeldSession::run, py::arg("inputs"), py::arg("outputs"), py::arg("buffers"))
        .def("generate_inputs", &HeldSession::generate_inputs, py::arg("seed"), py::arg("sizes"))
        .def_property_readonly("inputs", &HeldSession::inputs)
        .def_property_readonly("outputs", &HeldSession::outputs)
        .def_property_readonly("threads", &HeldSession::threads)
        .def_property_readonly("level", &HeldSession::level)
        .def_property_readonly("nodes", &HeldSession::nodes);
    module.def(
        "make_session",
        [](const HeldModel& model, const std::vector<std::string>& arguments,
           const py::object& on_progress) {
            return std::make_unique<HeldSession>(model, arguments, on_progress);
        },
        py::arg("model"), py::arg("arguments"), py::arg("on_progress") = py::none());
}

}  // namespace lapidary::python

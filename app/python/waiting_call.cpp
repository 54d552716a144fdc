// SPDX-License-Identifier: Apache-2.0
#include "python/waiting_call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>

#include <lapidary/internal/joined_threads.h>

namespace lapidary::python {
namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds between_looks{50};

/// What the working thread passes to the one that waits.
struct CallState {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_done = false, has_news = false;
    std::string stage;
    double fraction = -1;
    std::exception_ptr failure;
};

/// Looks for signals and reports progress, with Python's lock held. Returns what was raised.
std::optional<py::error_already_set> look(CallState& call, const py::object& on_progress) {
    if (PyErr_CheckSignals() != 0) return py::error_already_set();
    std::string stage;
    double fraction = -1;
    {
        const std::lock_guard lock(call.mutex);
        if (!call.has_news || on_progress.is_none()) return std::nullopt;
        call.has_news = false;
        stage = call.stage;
        fraction = call.fraction;
    }
    try {
        if (fraction < 0) on_progress(stage, py::none());
        else on_progress(stage, fraction);
    } catch (py::error_already_set& raised) { return std::move(raised); }
    return std::nullopt;
}

}  // namespace

std::optional<py::error_already_set> run_waiting(const py::object& on_progress,
                                                 const std::function<void(const Progress&)>& work) {
    CallState call;
    Progress progress;
    progress.report = [&call](std::string_view stage, double fraction) {
        const std::lock_guard lock(call.mutex);
        call.stage = stage;
        call.fraction = fraction;
        call.has_news = true;
    };
    std::optional<py::error_already_set> raised;
    {
        const py::gil_scoped_release released;
        JoinedThreads thread([&progress] { progress.cancel.cancel(); });
        thread.start(1, "threads of calls from Python", [&](int) {
            std::exception_ptr failure;
            try {
                work(progress);
            } catch (...) { failure = std::current_exception(); }
            const std::lock_guard lock(call.mutex);
            call.failure = failure;
            call.is_done = true;
            call.changed.notify_all();
        });
        std::unique_lock lock(call.mutex);
        while (!call.changed.wait_for(lock, between_looks, [&] { return call.is_done; })) {
            if (raised) continue;  // cancelled: what is left is to wait for its end
            lock.unlock();
            {
                const py::gil_scoped_acquire acquired;
                raised = look(call, on_progress);
            }
            if (raised) progress.cancel.cancel();
            lock.lock();
        }
        lock.unlock();
        thread.join();
    }
    if (raised) return raised;
    if (call.failure) std::rethrow_exception(call.failure);
    return std::nullopt;
}

void run_or_raise(const py::object& on_progress, const std::function<void(const Progress&)>& work) {
    if (auto raised = run_waiting(on_progress, work)) throw std::move(*raised);
}

}  // namespace lapidary::python

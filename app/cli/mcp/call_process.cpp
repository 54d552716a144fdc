// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/call_process.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>
#include <lapidary/internal/joined_threads.h>
#include <lapidary/internal/parse_json.h>

#include "cli/command_line.h"
#include "worker/process/command_program.h"
#include "worker/process/line_reader.h"
#include "worker/process/standard_streams.h"
#include "worker/process/worker_limits.h"
#include "worker/process/worker_process.h"

namespace lapidary::cli::mcp {
namespace {

using CallClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_progress{100}, cancel_poll{50};
constexpr std::chrono::seconds time_to_cancel{3};
constexpr std::size_t longest_call = std::size_t{16} << 20;  // bytes of a request

std::string one_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Ends a process that was cancelled: asks first.
class Canceller {
public:
    Canceller(app::WorkerProcess& process, const CancelToken& cancel)
        : process_(process), cancel_(cancel) {
        thread_.start(1, "thread that cancels a call", [this](int) { watch(); });
    }

private:
    void watch() {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, cancel_poll, [this] { return done_; }))
            if (cancel_.is_cancelled()) break;
        if (done_) return;
        process_.close_input();
        if (!changed_.wait_for(lock, time_to_cancel, [this] { return done_; })) process_.kill();
    }
    void finish() {
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_all();
    }

    app::WorkerProcess& process_;
    const CancelToken& cancel_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    JoinedThreads thread_{[this] { finish(); }};  // last: it uses the rest
};

/// The lines of progress, not too many of them.
class ProgressLines {
public:
    explicit ProgressLines(int out) : out_(out) {}
    void report(std::string_view stage, double fraction) {
        const std::lock_guard lock(mutex_);
        const auto now = CallClock::now();
        if (stage == stage_ && now - when_ < between_progress) return;
        stage_ = stage;
        when_ = now;
        app::write_all(out_, one_line({{"stage", stage}, {"fraction", fraction}}) + '\n');
    }

private:
    int out_;
    std::mutex mutex_;
    std::string stage_;
    CallClock::time_point when_;
};

/// Cancels a token when the other end of a stream is closed.
class EndWatch {
public:
    EndWatch(int in, CancelToken cancel) : in_(in), cancel_(std::move(cancel)) {
        thread_.start(1, "thread that waits for the end of the input", [this](int) { watch(); });
    }

private:
    void watch() {
        while (!done_) {
            if (!app::has_input(in_, cancel_poll)) continue;
            char ignored[256];
            if (app::read_some(in_, ignored) > 0) continue;
            return cancel_.cancel();
        }
    }

    int in_;
    CancelToken cancel_;
    std::atomic<bool> done_ = false;
    JoinedThreads thread_{[this] { done_ = true; }};  // last: it uses the rest
};

std::string request_line(const ToolRequest& request,
                         const std::vector<std::filesystem::path>& folders) {
    Json names = Json::array();
    for (const std::filesystem::path& folder : folders) names.push_back(folder.string());
    return one_line({{"tool", request.tool},
                     {"arguments", request.arguments},
                     {"may_replace", request.may_replace},
                     {"folders", names}});
}

}  // namespace

CallOutcome call_in_process(
    const ToolRequest& request, const std::vector<std::filesystem::path>& folders,
    const CancelToken& cancel,
    const std::function<void(std::string_view stage, double fraction)>& on_progress) {
    cancel.throw_if_cancelled();
    app::WorkerProcess process({app::command_program(), "mcp", "--call"});
    process.send(request_line(request, folders));
    std::optional<CallOutcome> outcome;
    {
        const Canceller canceller(process, cancel);
        while (const std::optional<std::string> line = process.read_line()) {
            const Json json = parse_json(*line, "an answer of the process of a tool");
            if (json.contains("code"))
                outcome = CallOutcome{json.at("code").get<int>(), json.at("out").get<std::string>(),
                                      json.at("err").get<std::string>()};
            else if (on_progress)
                on_progress(json.at("stage").get<std::string>(), json.at("fraction").get<double>());
        }
    }
    cancel.throw_if_cancelled();
    const std::string end = process.wait_for_end();
    if (outcome) return *outcome;
    const std::string words = process.last_words();
    fail(ErrorCode::process_ended, "the process that ran the command died (" + end + ")" +
                                       (words.empty() ? "" : ": " + words));
}

void serve_one_call(int in, int out) {
    app::limit_this_process(0);
    app::LineReader reader(in, longest_call, [] { return false; });
    std::string line;
    if (reader.next(line) != app::LineReader::Kind::line) return;
    const Json request = parse_json(line, "a request");
    FileBounds bounds;
    for (const Json& folder : request.at("folders"))
        bounds.folders.emplace_back(folder.get<std::string>());
    bounds.may_replace = request.at("may_replace").get<bool>();
    std::filesystem::current_path(bounds.folders.at(0));
    bound_files(std::move(bounds));
    const auto arguments = request.at("arguments").get<std::vector<std::string>>();
    std::vector<const char*> words{"lapidary-cli"};
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    ProgressLines lines(out);
    TerminalFeatures features;
    features.on_progress = [&](std::string_view stage, double fraction) {
        lines.report(stage, fraction);
    };
    features.check_options = [tool = request.at("tool").get<std::string>()](
                                 const OptionList& parsed) { require_own_options(tool, parsed); };
    std::ostringstream printed, errors;
    const CancelToken cancel;
    const EndWatch watch(in, cancel);
    const int code = run_command_line(static_cast<int>(words.size()), words.data(), printed, errors,
                                      cancel, features);
    app::write_all(
        out, one_line({{"code", code}, {"out", printed.str()}, {"err", errors.str()}}) + '\n');
}

}  // namespace lapidary::cli::mcp

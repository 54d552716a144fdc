// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/remote_engine.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/base64.h>
#include <lapidary/internal/content_hash.h>

#include "worker/jobs/job_kind.h"
#include "worker/models/file_stamp.h"
#include "worker/process/build_commit.h"
#include "worker/process/worker_engine.h"
#include "worker/remote/file_parts.h"
#include "worker/remote/machine_job.h"
#include "worker/remote/parts_job.h"
#include "worker/remote/place_files_job.h"
#include "worker/remote/ssh.h"
#include "worker/remote/target_program.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

// Signs of life come every worker_beat.
constexpr std::chrono::milliseconds longest_silence{6000};
constexpr std::size_t request_bytes = std::size_t{4} << 20;  // of parts in base64

/// What was sent of a file that a job named.
struct SentGroup {
    std::vector<FileStamp> stamps;
    std::string place;  // there

    bool is_current() const {
        return !stamps.empty() && std::ranges::all_of(stamps, [](const FileStamp& then) {
            try {
                return FileStamp::of(then.path) == then;
            } catch (const Error&) { return false; }
        });
    }
};

/// Nothing where a file changed so late that another change would not show.
std::vector<FileStamp> stamps_of_group(const FileGroup& group, std::int64_t begin_ns) {
    std::vector<FileStamp> stamps;
    for (const std::string& name : group.names) {
        stamps.push_back(FileStamp::of(group.folder / path_of_utf8(name)));
        if (!stamps.back().was_settled(begin_ns)) return {};
    }
    return stamps;
}

}  // namespace

struct RemoteEngine::Link {
    explicit Link(Target where) : target(std::move(where)) {}

    using EnginePtr = std::shared_ptr<WorkerEngine>;

    EnginePtr connect(const Progress& progress);
    EnginePtr start(const TargetProgram& program, const Progress& progress);
    fs::path place(WorkerEngine& engine, const fs::path& named, bool is_model,
                   const Progress& progress);
    PlacedFiles send(WorkerEngine& engine, const FileGroup& group, const std::string& title,
                     const Progress& progress);
    void send_missing(WorkerEngine& engine, const FileGroup& group, std::set<std::string> missing,
                      const std::string& title, const Progress& progress);
    Error explained(const WorkerEnd& end, const std::string& running) const;

    const Target target;
    std::mutex connecting;  // held by the call that connects
    mutable std::mutex mutex;
    EnginePtr engine;  // null: not connected
    TargetFacts facts;
    std::atomic<bool> is_ready = false, was_silent = false;
    std::mutex placing;  // held by the call that sends files
    std::map<std::pair<fs::path, bool>, SentGroup> sent;
};

RemoteEngine::Link::EnginePtr RemoteEngine::Link::start(const TargetProgram& program,
                                                        const Progress& progress) {
    WorkerOptions options;
    options.command = worker_command(target, program);
    options.is_elsewhere = true;
    options.silence = longest_silence;
    options.on_end = [this](const WorkerEnd&) { is_ready = false; };
    options.on_silence = [this](const WorkerSilence& silence) {
        if (!silence.is_silent || !is_ready) return;
        was_silent = true;
        EnginePtr silent;
        {
            const std::lock_guard lock(mutex);
            silent = engine;
        }
        if (silent) silent->end_worker();
    };
    was_silent = false;
    auto started = std::make_shared<WorkerEngine>(std::move(options));
    try {
        TargetFacts found = started->call(MachineJob{build_commit()}, progress);
        const std::lock_guard lock(mutex);
        facts = std::move(found);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::io_failure && error.code() != ErrorCode::process_ended)
            throw;
        const WorkerEnd end = started->newest_end();
        if (end.reason.empty())
            throw Error(error.code(),
                        "the worker on " + target.host + " did not start: " + error.message());
        std::string problem = connection_problem(target, end.reason, end.last_words);
        if (end.last_words.find("shared librar") != std::string::npos)
            problem +=
                "; the archive of the command line has its libraries: unpack it and name "
                "its folder by LAPIDARY_TARGETS";
        throw Error(ErrorCode::io_failure, problem);
    }
    return started;
}

RemoteEngine::Link::EnginePtr RemoteEngine::Link::connect(const Progress& progress) {
    const std::lock_guard turn(connecting);
    if (is_ready) {
        const std::lock_guard lock(mutex);
        if (engine) return engine;
    }
    progress.step("connect");
    const TargetState state = ask_target(target, progress);
    const TargetProgram program =
        find_target_program(target, state.system, state.architecture, progress);
    if (std::ranges::find(state.programs, program.hash) == state.programs.end())
        send_program(target, program, progress);
    progress.step("start the worker");
    EnginePtr started = start(program, progress);
    {
        const std::lock_guard lock(placing);
        sent.clear();  // what was there may have been deleted
    }
    is_ready = true;
    const std::lock_guard lock(mutex);
    engine = started;
    return started;
}

void RemoteEngine::Link::send_missing(WorkerEngine& to, const FileGroup& group,
                                      std::set<std::string> missing, const std::string& title,
                                      const Progress& progress) {
    const std::size_t all = missing.size();
    const Progress quiet{progress.cancel, {}};
    PartsJob job;
    std::size_t waiting = 0;
    const auto hand_over = [&] {
        if (!job.parts.empty()) to.call(job, quiet);
        job.parts.clear();
        waiting = 0;
        progress.step("send " + title, double(all - missing.size()) / double(all));
    };
    progress.step("send " + title, 0);
    for (const std::string& name : group.names)
        cut_file(group.folder / path_of_utf8(name), progress.cancel,
                 [&](std::span<const std::byte> part) {
                     if (missing.erase(sha256_hex(part)) == 0) return;
                     job.parts.push_back(to_base64(part));
                     waiting += job.parts.back().size();
                     if (waiting >= request_bytes) hand_over();
                 });
    hand_over();
}

PlacedFiles RemoteEngine::Link::send(WorkerEngine& to, const FileGroup& group,
                                     const std::string& title, const Progress& progress) {
    progress.step("read " + title);
    const PlaceFilesJob place{parts_of(group, progress)};
    const Progress quiet{progress.cancel, {}};
    PlacedFiles placed = to.call(place, quiet);
    for (int tries = 0; !placed.missing.empty(); ++tries) {
        if (tries == 2)
            throw Error(ErrorCode::io_failure, "the file changed while it was sent").at(title);
        send_missing(to, group, {placed.missing.begin(), placed.missing.end()}, title, progress);
        placed = to.call(place, quiet);
    }
    if (placed.folder.empty())
        throw Error(ErrorCode::io_failure, target.host + " does not say where the file lies")
            .at(title);
    return placed;
}

fs::path RemoteEngine::Link::place(WorkerEngine& to, const fs::path& named, bool is_model,
                                   const Progress& progress) {
    const std::lock_guard turn(placing);
    const std::pair key{fs::absolute(named).lexically_normal(), is_model};
    if (const auto at = sent.find(key); at != sent.end() && at->second.is_current())
        return at->second.place;
    const std::int64_t begin_ns = FileStamp::now_ns();
    const FileGroup group = files_of(named, is_model, progress);
    const PlacedFiles placed = send(to, group, named.filename().string(), progress);
    const std::string name = group.named.generic_string();
    const std::string there = placed.folder + (name.empty() ? "" : "/" + name);
    sent[key] = {stamps_of_group(group, begin_ns), there};
    return there;
}

Error RemoteEngine::Link::explained(const WorkerEnd& end, const std::string& running) const {
    const std::string during = running.empty() ? "" : " during " + running;
    if (was_silent)
        return Error(ErrorCode::process_ended, target.host + " was silent for " +
                                                   std::to_string(longest_silence.count() / 1000) +
                                                   " seconds; the connection was given up" +
                                                   during);
    std::string words = end.last_words;
    while (!words.empty() && (words.back() == '\r' || words.back() == '.')) words.pop_back();
    if (words.empty())
        return Error(ErrorCode::process_ended, "the connection to " + target.host +
                                                   ", or the worker there, ended (" + end.reason +
                                                   ")" + during);
    return Error(ErrorCode::process_ended,
                 "the connection to " + target.host + " ended" + during + ": " + words);
}

RemoteEngine::RemoteEngine(Target target) : link_(std::make_unique<Link>(std::move(target))) {}
RemoteEngine::~RemoteEngine() {
    Link::EnginePtr last;
    {
        const std::lock_guard lock(link_->mutex);
        last = std::move(link_->engine);
    }
}

void RemoteEngine::run(const JobKind& kind, const void* job, void* result, const Progress& progress,
                       const CallHooks& hooks) {
    if (!kind.in_other_process(job))
        fail_input("a model that is in no file cannot be sent to " + link_->target.host);
    const Link::EnginePtr engine = link_->connect(progress);
    try {
        const MapFile placed = [&](const fs::path& file, bool is_model) {
            return link_->place(*engine, file, is_model, progress);
        };
        kind.with_files(job, placed, [&](const void* sent) {
            engine->run(kind, sent, result, progress, hooks);
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::process_ended) throw;
        throw link_->explained(engine->newest_end(), kind.title(job));
    }
}

std::string RemoteEngine::place(const fs::path& file, bool is_model, const Progress& progress) {
    const Link::EnginePtr engine = link_->connect(progress);
    try {
        return link_->place(*engine, file, is_model, progress).generic_string();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::process_ended) throw;
        throw link_->explained(engine->newest_end(), "sending " + file.filename().string());
    }
}

TargetFacts RemoteEngine::facts(const Progress& progress) {
    link_->connect(progress);
    const std::lock_guard lock(link_->mutex);
    return link_->facts;
}

const Target& RemoteEngine::target() const { return link_->target; }

void RemoteEngine::end_connection() {
    Link::EnginePtr current;
    {
        const std::lock_guard lock(link_->mutex);
        current = link_->engine;
    }
    if (current) current->end_worker();
}

}  // namespace lapidary::app

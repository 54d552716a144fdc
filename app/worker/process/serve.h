// SPDX-License-Identifier: Apache-2.0
// The worker process: runs the jobs that another program writes to its input. A line of JSON each
// way:
//   requests  {"id": 1, "job": "profile", "model": MODEL, "settings": {"threads": 2, "repetitions":
//   10, ...}}
//             {"id": 2, "job": "measure", "candidates": [{"model": MODEL, "configuration": {...}},
//             ...], "options":
//             {...}, ...}
//             {"id": 3, "job": "sweep", "model": MODEL, "space": {...}, "options": {...}, ...}
//             {"id": 4, "job": "compare_outputs", "a": MODEL, "b": MODEL, "settings": {...}}
//             {"id": 5, "job": "read", "model": MODEL}: loads it and keeps it for the next job; the
//             result is {"nodes"}
//             {"cancel": 1}   {"pause": 3}   {"resume": 3}
//   MODEL     {"file": "net.onnx", "recipe": {"level": "extended"}} or {"sample": "mlp"}; "bytes"
//   and "modified" (of the
//             file clock) as they were when the other program opened the file: a file that changed
//             since is refused; "channel_block", 8 or 16, of a file laid out by ONNX Runtime that
//             does not tell
//   answers   {"opening": "cuda.so"}: a plugin is about to be opened, which may end the worker;
//   before the hello
//             {"hello": {"program", "version", "protocol", "process"}} before all others
//             {"id": 1, "progress": {"stage": "run", "fraction": 0.5}}   {"id": 2, "state": ...}:
//             partial results
//             {"id": 1, "result": ...} or {"id": 1, "error": {"code", "message", "where"}}: each
//             job ends with one of them
//             {"error": ...}: a line that is no request
//             {"alive": true}: every worker_beat while a job runs, whatever the job does
// Jobs run one at a time in order. Large results lie in shared memory: {"block": {"name",
// "bytes"}}, to be taken at once: those not taken go with the process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include <lapidary/base/progress.h>

namespace lapidary::app {

constexpr int protocol_version = 1;
constexpr std::size_t longest_request = std::size_t{16} << 20;  // bytes
constexpr std::chrono::seconds worker_beat{2};  // between signs of life while a job runs
constexpr std::uint64_t least_memory_limit = std::uint64_t{64} << 20;

struct ServeOptions {
    int in = 0, out = 1;             // descriptors
    std::uint64_t memory_limit = 0;  // bytes of memory that this process may hold; 0: no limit
    std::string version;             // of the program
    CancelToken stop;                // ends it: jobs are cancelled, results that nobody took go
    // exit code where a job that does not stop ends with the process
    int code_when_stopped = 0;
};

/// The line, with its end, that reports a plugin or library before it is opened.
std::string opening_line(const std::string& file);

/// Returns when the input has ended and the jobs it asked for are done. When nobody reads the
/// answers any more, when the process that started this one is gone, or when it is to stop, they
/// are cancelled; one that does not stop within a second is left to the end of the process. Throws
/// Error{invalid_input} for a limit that is too low, io_failure where it cannot be set.
void serve(const ServeOptions& options);

}  // namespace lapidary::app

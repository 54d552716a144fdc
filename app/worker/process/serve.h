// SPDX-License-Identifier: Apache-2.0
// The worker process: runs the jobs that another program writes to its input. Each message, in both
// directions, is one line of JSON.
//
//   Requests
//     {"id": 1, "job": "profile", "model": MODEL, "settings": {"threads": 2, ...}}
//     {"id": 2, "job": "measure", "candidates": [{"model": MODEL, "configuration": {...}}, ...],
//      "options": {...}, ...}
//     {"id": 3, "job": "sweep", "model": MODEL, "space": {...}, "options": {...}, ...}
//     {"id": 4, "job": "compare_outputs", "a": MODEL, "b": MODEL, "settings": {...}}
//     {"id": 5, "job": "read", "model": MODEL}: loads the model and keeps it for the next job; the
//      result is {"nodes"}
//     {"id": 6, "job": "guard", "original": MODEL, "variant": MODEL, "options": {...}}
//     {"id": 7, "job": "bisect", "original": MODEL, "recipe": {...}, "options": {...}}
//     {"id": 8, "job": "export", "model": MODEL, "options": {...}, "file": "out.onnx"}; without a
//      file the result says what such a file would hold
//     "open", "make_variant", "step", "read_weight", "inspect", "plan_memory": for a window; their
//      results are bytes for this program alone
//     {"cancel": 1}   {"pause": 3}   {"resume": 3}
//     Each job may have "documents": [7, 9], the documents that are open in the other program. The
//      models of all others are released before it runs.
//   MODEL
//     {"file": "net.onnx", "recipe": {"level": "extended"}} or {"sample": "mlp"}
//     "bytes" and "modified" (in ticks of the file clock): as they were when the other program
//      opened the file. A file that has changed since is refused.
//     "document": 7, the other program's document that the model belongs to, a number above 0. A
//      document is always of the same file or sample.
//     "channel_block": 8 or 16, for a file in ONNX Runtime's layout that does not state it
//   Answers
//     {"opening": "cuda.so"}: before a plugin is opened, since that may end the worker; comes
//      before the hello
//     {"hello": {"program", "version", "protocol", "process"}}: the first answer otherwise
//     {"id": 1, "progress": {"stage": "run", "fraction": 0.5}}
//     {"id": 2, "state": ...}: partial results
//     {"id": 1, "result": ...} or {"id": 1, "error": {"code", "message", "where"}}: the last answer
//      to a job
//     {"error": ...}: to a line that is not a request
//     {"alive": true}: every worker_beat while a job runs
//
// On another machine (ServeOptions::is_elsewhere) there is no memory to share. A block is sent as
// lines {"id": 1, "part": BASE64, "of": BYTES}, whose bytes follow each other; its result then has
// the size alone, {"block": {"name": "", "bytes"}}. Signs of life come without a job too, and the
// other program answers each with an empty line: a worker that has got nothing for
// longest_quiet ends, because a connection may break without a word.
//
// Jobs run one at a time, in order. Large results lie in shared memory, {"block": {"name",
// "bytes"}}. The reader takes them at once; blocks that are not taken end with the process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include <lapidary/base/progress.h>

namespace lapidary::app {

constexpr int protocol_version = 2;
constexpr std::size_t longest_request = std::size_t{16} << 20;  // bytes
constexpr std::chrono::seconds worker_beat{2};  // between signs of life while a job runs
constexpr std::chrono::seconds longest_quiet{30};
constexpr std::size_t part_bytes = std::size_t{3} << 20;  // of a block, in a line
constexpr std::uint64_t least_memory_limit = std::uint64_t{64} << 20;

struct ServeOptions {
    int in = 0, out = 1;             // descriptors
    std::uint64_t memory_limit = 0;  // bytes of memory that this process may hold; 0: no limit
    std::string version;             // of the program
    // ends the worker: cancels jobs, frees results that were not taken
    CancelToken stop;
    // exit code if a job that does not stop has to end with the process
    int code_when_stopped = 0;
    // the other program is on another machine
    bool is_elsewhere = false;
};

/// The line, with its line end, that reports a plugin or library before it is opened.
std::string opening_line(const std::string& file);

/// Returns when the input has ended and the requested jobs are done. Cancels them when the reader
/// of the answers or the parent process is gone, or when ServeOptions::stop is cancelled. A job
/// that does not stop within a second ends with the process. Throws Error{invalid_input} for a
/// limit that is too low, io_failure if it cannot be set.
void serve(const ServeOptions& options);

}  // namespace lapidary::app

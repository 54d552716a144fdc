// SPDX-License-Identifier: Apache-2.0
// Session options as text, by ONNX Runtime's names.
#include <array>
#include <charconv>

#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>

#include "base/memory/available_memory.h"

namespace lapidary {
namespace {

constexpr std::array keys = {
    ConfigKey{"session.set_denormal_as_zero", "0 1",
              "numbers too small for full precision count as zero"},
    ConfigKey{"session.intra_op.allow_spinning", "0 1",
              "workers wait hot for the next piece of work of a run"},
    ConfigKey{"session.intra_op_thread_affinities", "processors",
              "where the workers run: \"1;2,3;5-7\", processors from 1 on, \";\" between workers"},
    ConfigKey{"intra_op_num_threads", "number", "threads inside an operator; 0: one per core"},
    ConfigKey{"inter_op_num_threads", "number",
              "operators at the same time in parallel mode; 0: one per core"},
    ConfigKey{"execution_mode", "ORT_SEQUENTIAL ORT_PARALLEL",
              "one operator at a time, or branches of the graph at the same time"},
    ConfigKey{"enable_mem_pattern", "0 1", "plan the memory of a run per set of input shapes"},
    ConfigKey{"enable_cpu_mem_arena", "0 1", "take memory that is not planned from an arena"},
    ConfigKey{"arena_extend_strategy", "kNextPowerOfTwo kSameAsRequested",
              "how much the arena asks the system for"},
    ConfigKey{"lapidary.compute", "exact fp16 bf16 int8",
              "large weights of products as the model has them, or rounded to 16 or 8 bits; not in "
              "ONNX Runtime"},
};

void take_former_names(SessionOptions& options) {
    const auto take = [](auto& member, auto& former) {
        if (former) member = *former;
        former.reset();
    };
    take(options.resources.threads, options.intra_threads);
    take(options.resources.inter_threads, options.inter_threads);
    take(options.resources.mode, options.execution_mode);
    take(options.resources.spinning, options.allow_spinning);
    for (auto& [key, value] : options.config_entries)
        options.resources.config.insert_or_assign(key, value);
    options.config_entries.clear();
}

[[noreturn]] void refuse(std::string_view key, std::string_view value, std::string_view expected) {
    fail_input("configuration entry " + quote(std::string(key)) + ": expected " +
               std::string(expected) + ", found " + quote(std::string(value)));
}

bool flag_of(std::string_view key, std::string_view value) {
    if (value != "0" && value != "1") refuse(key, value, "0 or 1");
    return value == "1";
}

int count_of(std::string_view key, std::string_view value) {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < 0 || number > 1024)
        refuse(key, value, "a number from 0 to 1024");
    return number;
}

/// True for `second`, false for `first`.
bool second_of(std::string_view key, std::string_view value, std::string_view first,
               std::string_view second) {
    if (value != first && value != second)
        refuse(key, value, std::string(first) + " or " + std::string(second));
    return value == second;
}

/// Providers have options of their own for the numbers that they compute with.
void check_compute(const SessionOptions& options) {
    if (compute_of(options) != Compute::exact && !options.providers.empty())
        fail_input("configuration entry " + quote(std::string(compute_key)) +
                   " is for sessions on the CPU alone; a provider takes the option precision where "
                   "it computes in fewer bits");
}

void apply(SessionOptions& options, std::string_view key, const std::string& value) {
    if (key == "session.set_denormal_as_zero") options.denormal_as_zero = flag_of(key, value);
    else if (key == "session.intra_op.allow_spinning")
        options.resources.spinning = flag_of(key, value);
    else if (key == "session.intra_op_thread_affinities") options.thread_affinities = value;
    else if (key == "intra_op_num_threads") options.resources.threads = count_of(key, value);
    else if (key == "inter_op_num_threads") options.resources.inter_threads = count_of(key, value);
    else if (key == "execution_mode")
        options.resources.mode = second_of(key, value, "ORT_SEQUENTIAL", "ORT_PARALLEL")
                                     ? ExecutionMode::parallel
                                     : ExecutionMode::sequential;
    else if (key == "enable_mem_pattern") options.enable_mem_pattern = flag_of(key, value);
    else if (key == "enable_cpu_mem_arena") options.enable_cpu_mem_arena = flag_of(key, value);
    else if (key == compute_key) check_compute(options);
    else if (key == "arena_extend_strategy")
        options.arena_extend = second_of(key, value, "kNextPowerOfTwo", "kSameAsRequested")
                                   ? ArenaExtend::same_as_requested
                                   : ArenaExtend::next_power_of_two;
    else {
        std::string known;
        for (const ConfigKey& k : keys) known += (known.empty() ? "" : ", ") + std::string(k.name);
        fail_input("there is no configuration entry " + quote(std::string(key)) + "; known are " +
                   known);
    }
}

}  // namespace

std::span<const ConfigKey> config_keys() { return keys; }

SessionOptions resolve_config(SessionOptions options) {
    take_former_names(options);
    for (const auto& [key, value] : options.resources.config) apply(options, key, value);
    // These have their defaults: a run may take what the machine has. Free memory is queried when a
    // run takes much at once.
    const Limits usual;
    if (options.limits.run_bytes == usual.run_bytes) options.limits.run_bytes = machine_memory();
    if (options.limits.tensor_bytes == usual.tensor_bytes)
        options.limits.tensor_bytes = machine_memory();
    return options;
}

}  // namespace lapidary

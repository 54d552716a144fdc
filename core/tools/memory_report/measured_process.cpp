// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <utility>

#include <nlohmann/json.hpp>

#include <lapidary/base/counted_memory.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "bench/process/child_process.h"

namespace lapidary {
namespace {

constexpr std::pair<const char*, CountedMemory MeasuredProcess::*> moments[] = {
    {"program", &MeasuredProcess::program},
    {"loading", &MeasuredProcess::loading},
    {"compiled", &MeasuredProcess::compiled},
    {"peak", &MeasuredProcess::peak},
};

}  // namespace

std::string measured_process_text(const MeasuredProcess& measured) {
    nlohmann::json json;
    for (const auto& [name, moment] : moments)
        json[name] = {{"own_bytes", (measured.*moment).own},
                      {"file_bytes", (measured.*moment).files}};
    return json.dump();
}

MeasuredProcess measure_process(const std::vector<std::string>& command,
                                const CancelToken& cancel) {
    constexpr std::chrono::minutes longest{10};
    const FinishedProgram done = run_program(command, longest, cancel);
    if (done.code != 0)
        fail_unsupported("the measured process ended with code " + std::to_string(done.code) +
                         ": " + done.err.substr(0, done.err.find('\n')));
    const nlohmann::json json = parse_json(done.out, "the figures of the measured process");
    MeasuredProcess measured;
    for (const auto& [name, moment] : moments) {
        const nlohmann::json& bytes = json.at(name);
        measured.*moment = {bytes.at("own_bytes").get<std::uint64_t>(),
                            bytes.at("file_bytes").get<std::uint64_t>()};
    }
    return measured;
}

}  // namespace lapidary

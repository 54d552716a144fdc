// SPDX-License-Identifier: Apache-2.0
// Engines that are packages of a Python interpreter, and the programs that run them there.
#pragma once

#include <string>

#include <lapidary/bench/peers.h>

namespace lapidary {

struct PeerPackage {
    const char* title;     // "OpenVINO"
    const char* module;    // that has to be there: "openvino"
    const char* install;   // "pip install openvino"
    const char* variable;  // that names an interpreter: "LAPIDARY_OPENVINO"
    const char* runs;      // the part of a program that says the version and runs models
    const char* decodes;   // the part of a program that runs decoders; null: it runs none
};
const PeerPackage& python_package(Peer peer);

/// A program that answers lines of JSON: load, burst, outputs, peak. Its first line is the version
/// of the package.
std::string running_program(const PeerPackage& package);
/// A program that answers lines of JSON as DecodingServer does.
std::string decoding_program(const PeerPackage& package);

/// The interpreter, as find_bench_peer() searches it. Throws not_supported.
std::filesystem::path find_package(const PeerPackage& package, const std::filesystem::path& place);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Engines of others that this one is measured beside: the user's own copies, found at run time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// An engine of others, by the product.
enum class Peer : std::uint8_t { onnxruntime, openvino, pytorch, llama_cpp, genai };

/// What is known of one.
struct PeerInfo {
    Peer peer = Peer::onnxruntime;  // which one
    std::string_view name;          // "openvino", as commands take it
    std::string_view title;         // "OpenVINO"
    bool runs_models = true;        // by any inputs; false: decoders alone, token by token
};
/// All of them, ONNX Runtime first.
std::span<const PeerInfo> list_peers();
/// By its name; nothing: there is none.
std::optional<PeerInfo> find_peer(std::string_view name);

/// The engine on this machine. ONNX Runtime: find_onnxruntime_peer(). The others are packages of a
/// Python interpreter, which runs in a separate process: `place` is the interpreter or the folder
/// of a virtual environment; empty: what the variable LAPIDARY_OPENVINO, LAPIDARY_PYTORCH,
/// LAPIDARY_LLAMA_CPP or LAPIDARY_GENAI names, else the active environment, build/peers beside this
/// program, and python3 are searched. Throws not_supported naming the places, and how the package
/// is installed. llama.cpp and onnxruntime-genai open no models of BenchConfiguration: open()
/// throws not_supported.
std::unique_ptr<BenchPeer> find_bench_peer(Peer peer, const std::filesystem::path& place);

}  // namespace lapidary

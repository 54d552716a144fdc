// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/peers.h>

#include <algorithm>

#include "bench/peers/python_peer.h"

namespace lapidary {
namespace {

constexpr PeerInfo peers[] = {{Peer::onnxruntime, "onnxruntime", "ONNX Runtime", true},
                              {Peer::openvino, "openvino", "OpenVINO", true},
                              {Peer::llama_cpp, "llama.cpp", "llama.cpp", false},
                              {Peer::genai, "onnxruntime-genai", "onnxruntime-genai", false},
                              {Peer::pytorch, "pytorch", "PyTorch", true}};

}  // namespace

std::span<const PeerInfo> list_peers() { return peers; }

std::optional<PeerInfo> find_peer(std::string_view name) {
    const auto* const found = std::ranges::find(peers, name, &PeerInfo::name);
    return found == std::end(peers) ? std::nullopt : std::optional(*found);
}

std::unique_ptr<BenchPeer> find_bench_peer(Peer peer, const std::filesystem::path& place) {
    if (peer == Peer::onnxruntime) return find_onnxruntime_peer(place);
    const PeerPackage& package = python_package(peer);
    return open_python_peer(find_package(package, place), package);
}

}  // namespace lapidary

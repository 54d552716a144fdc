// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/error.h>
#include <lapidary/generation/measure_decoding.h>
#include <lapidary/onnx_io/model_io.h>

#include "bench/peers/python_package.h"
#include "generation/decoder_process.h"
#include "generation/llama_gguf.h"

namespace lapidary {

std::unique_ptr<DecodingEngine> start_peer_decoder(Peer peer, const std::filesystem::path& python,
                                                   const DecodingSetup& setup,
                                                   const std::filesystem::path& folder,
                                                   const CancelToken& cancel) {
    const PeerPackage& package = python_package(peer);
    if (!package.decodes)
        fail_unsupported(std::string(package.title) + " in Python runs no decoders here");
    std::filesystem::path other;
    if (peer == Peer::llama_cpp) {
        other = folder / "decoder.gguf";
        write_llama_gguf(load_model(setup.model, {}, {cancel, {}}), other, cancel);
    }
    return start_decoder({python.string(), "-c", decoding_program(package)}, setup, other, cancel);
}

}  // namespace lapidary

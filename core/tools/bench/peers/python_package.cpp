// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/python_package.h"

#include <lapidary/base/error.h>

#include "bench/peers/python_places.h"

namespace lapidary {
namespace {

constexpr const char* measuring =
#include "bench/peers/python_begin.inc"
    ;
constexpr const char* runs =
#include "bench/peers/python_runs.inc"
    ;
constexpr const char* decoding =
#include "bench/peers/python_decoding.inc"
    ;
constexpr const char* onnxruntime_runs =
#include "bench/peers/python_onnxruntime.inc"
    ;
constexpr const char* openvino_runs =
#include "bench/peers/python_openvino.inc"
    ;
constexpr const char* openvino_decoder =
#include "bench/peers/python_openvino_decoder.inc"
    ;
constexpr const char* pytorch_runs =
#include "bench/peers/python_pytorch.inc"
    ;
constexpr const char* pytorch_decoder =
#include "bench/peers/python_pytorch_decoder.inc"
    ;
constexpr const char* llama_cpp_runs =
#include "bench/peers/python_llama_cpp.inc"
    ;
constexpr const char* llama_cpp_decoder =
#include "bench/peers/python_llama_cpp_decoder.inc"
    ;
constexpr const char* genai_runs =
#include "bench/peers/python_genai.inc"
    ;
constexpr const char* genai_decoder =
#include "bench/peers/python_genai_decoder.inc"
    ;

}  // namespace

const PeerPackage& python_package(Peer peer) {
    static constexpr PeerPackage onnxruntime{
        "ONNX Runtime",         "onnxruntime",    "pip install onnxruntime",
        "LAPIDARY_ONNXRUNTIME", onnxruntime_runs, nullptr};
    static constexpr PeerPackage openvino{
        "OpenVINO",          "openvino",    "pip install openvino",
        "LAPIDARY_OPENVINO", openvino_runs, openvino_decoder};
    static constexpr PeerPackage pytorch{
        "PyTorch",          "torch",      "pip install torch onnx onnx2torch",
        "LAPIDARY_PYTORCH", pytorch_runs, pytorch_decoder};
    static constexpr PeerPackage llama_cpp{
        "llama.cpp",          "llama_cpp",    "pip install llama-cpp-python",
        "LAPIDARY_LLAMA_CPP", llama_cpp_runs, llama_cpp_decoder};
    static constexpr PeerPackage genai{
        "onnxruntime-genai", "onnxruntime_genai", "pip install onnxruntime-genai",
        "LAPIDARY_GENAI",    genai_runs,          genai_decoder};
    switch (peer) {
    case Peer::openvino: return openvino;
    case Peer::pytorch: return pytorch;
    case Peer::llama_cpp: return llama_cpp;
    case Peer::genai: return genai;
    case Peer::onnxruntime: break;
    }
    return onnxruntime;
}

std::string running_program(const PeerPackage& package) {
    return std::string(measuring) + package.runs + runs;
}

std::string decoding_program(const PeerPackage& package) {
    return std::string(measuring) + package.decodes + decoding;
}

std::filesystem::path find_package(const PeerPackage& package, const std::filesystem::path& place) {
    std::string searched;
    const std::filesystem::path python =
        find_python_with(package.module, python_search(place, package.variable), searched);
    if (python.empty())
        fail_unsupported(std::string(package.title) + " was not found: no package " +
                         package.module + " for " + searched + "; install it by `" +
                         package.install +
                         "`, or name the interpreter or virtual environment "
                         "that has it by --peer or " +
                         package.variable);
    return python;
}

}  // namespace lapidary

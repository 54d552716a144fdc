// SPDX-License-Identifier: Apache-2.0
// onnx_judge FILE [SECONDS]: what the packaged onnx library says of a model file. A separate
// program, because the library ends the process on some damaged files and does not return on
// others: it may compute for SECONDS (60) and take 16 GiB of addresses. Prints two lines of two
// fields with a tab: checker "fine", or why onnx::checker refuses the file shapes "fine", or why
// onnx::shape_inference refuses it (strict, with propagation of data)
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include <sys/resource.h>

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

namespace {

std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return text;
}

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
    const rlimit value{most, most + 1};  // at the first a signal that says why
    ::setrlimit(what, &value);
}

/// Prints what call() throws, or "fine".
template <typename Call>
void print_verdict(const char* of, const Call& call) {
    std::string verdict = "fine";
    try {
        call();
    } catch (const std::exception& error) { verdict = one_line(error.what()); }
    std::cout << of << '\t' << verdict << std::endl;  // flushed: the next call may end the process
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2 && count != 3) {
        std::cerr << "usage: onnx_judge FILE [SECONDS]\n";
        return 2;
    }
    limit(RLIMIT_CPU, count == 3 ? std::stoul(arguments[2]) : 60);
    limit(RLIMIT_AS, rlim_t{16} << 30);
    limit(RLIMIT_CORE, 0);
    onnx::ModelProto model;
    std::ifstream file(arguments[1], std::ios::binary);
    if (!model.ParseFromIstream(&file)) {
        std::cerr << "onnx_judge: " << arguments[1] << " cannot be read\n";
        return 3;
    }
    print_verdict("checker", [&] { onnx::checker::check_model(std::string(arguments[1])); });
    print_verdict("shapes", [&] {
        onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                           {true, 1, true});
    });
    return 0;
}

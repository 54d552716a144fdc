// SPDX-License-Identifier: Apache-2.0
// Small files that need much: refused with one sentence, or run, within bounds of time and memory.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/onnx_bytes.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using namespace test::onnx_bytes;

struct Finished {
    int code = -1;  // 128 + signal when killed
    std::string err;
    double seconds = 0;
    std::uint64_t peak_bytes = 0;
};

Finished finish(const fs::path& folder, const std::vector<std::string>& arguments) {
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(::open("/dev/null", O_WRONLY), 1);
        ::dup2(::open((folder / "err").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
        const rlimit time{30, 30};
        ::setrlimit(RLIMIT_CPU, &time);
        std::vector<char*> argv{const_cast<char*>("lapidary-cli")};
        for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        ::execv(cli_program().c_str(), argv.data());
        ::_exit(127);
    }
    int status = 0;
    struct rusage used {};
    ::wait4(child, &status, 0, &used);
    std::ifstream err(folder / "err");
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            {std::istreambuf_iterator<char>(err), {}},
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            static_cast<std::uint64_t>(used.ru_maxrss) << 10};
}

class HostileFiles : public ::testing::Test {
protected:
    /// info, run and optimize of a file: an exit code that is no bug, one sentence with it, time
    /// and memory within five times what a quiet machine needs.
    void try_all(const fs::path& file) {
        const std::uint64_t most_bytes = 5 * ((std::uint64_t{64} << 20) + 2 * fs::file_size(file));
        for (const std::string command : {"info", "run", "optimize"}) {
            SCOPED_TRACE(command + " " + file.filename().string());
            std::vector<std::string> arguments{command, file.string()};
            if (command == "optimize")
                arguments.insert(arguments.end(),
                                 {"-o", (folder_ / "out.onnx").string(), "--level", "all"});
            if (command == "run") arguments.insert(arguments.end(), {"--intra", "1"});
            const Finished finished = finish(folder_.path(), arguments);
            EXPECT_TRUE(finished.code == 0 || finished.code == 3 || finished.code == 4)
                << finished.code << " " << finished.err;
            if (finished.code != 0)
                EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
            EXPECT_LT(finished.err.size(), 2000u);
            EXPECT_LT(finished.seconds, 1 * wall_factor) << finished.err;
            if (!under_sanitizer) EXPECT_LT(finished.peak_bytes, most_bytes) << finished.err;
        }
    }
    fs::path put(const std::string& name, const std::string& contents) {
        std::ofstream(folder_ / name, std::ios::binary) << contents;
        return folder_ / name;
    }
    TemporaryFolder folder_;
};

/// f32 of a shape: numbers, or names.
std::string tensor_type(const std::vector<std::string>& dims) {
    std::string shape;
    for (const std::string& dim : dims)
        shape += bytes(1, dim.find_first_not_of("0123456789") == std::string::npos
                              ? number(1, std::stoll(dim))
                              : bytes(2, dim));
    return bytes(1, number(1, 1) + bytes(2, shape));
}
std::string sequence_type(const std::string& element) { return bytes(4, bytes(1, element)); }
std::string optional_type(const std::string& element) { return bytes(9, bytes(1, element)); }

std::string port(int field, const std::string& name, const std::string& type) {
    return bytes(field, bytes(1, name) + bytes(2, type));
}

std::string node(const std::string& input, const std::string& op,
                 const std::string& attributes = {}) {
    return bytes(
        1, (input.empty() ? "" : bytes(1, input)) + bytes(2, "y") + bytes(4, op) + attributes);
}

std::string model_with(const std::string& graph) {
    return number(1, 8) + bytes(7, bytes(2, "g") + graph) + bytes(8, number(2, 18));
}

TEST_F(HostileFiles, SparseConstantsStandForHugeTensors) {
    const std::string sparse = bytes(1, tensor("", {1}, 1, raw<float>({1}))) +
                               bytes(2, tensor("", {1}, 7, raw<std::int64_t>({5}))) +
                               number(3, 1 << 30);
    const std::string attribute =
        bytes(5, bytes(1, "sparse_value") + bytes(22, sparse) + number(20, 11));
    try_all(put("sparse.onnx",
                model_with(node("", "Constant", attribute) + port(12, "y", tensor_type({"n"})))));
}

TEST_F(HostileFiles, NestsOfTypesStandForManyItems) {
    std::string type = tensor_type({"2"});
    for (int i = 0; i < 20; ++i) type = sequence_type(optional_type(type));
    try_all(put("nest.onnx",
                model_with(node("x", "Identity") + port(11, "x", type) + port(12, "y", type))));
}

TEST_F(HostileFiles, SizesThatWereNotGivenStaySmall) {
    const std::string type = tensor_type({"a", "b", "b", "3072"});
    try_all(put("default.onnx",
                model_with(node("x", "Relu") + port(11, "x", type) + port(12, "y", type))));
}

TEST_F(HostileFiles, DeclaredSizesAskForMemoryThatIsThere) {
    const std::string type = tensor_type({"1000000", "1000000"});
    try_all(put("declared.onnx",
                model_with(node("x", "Relu") + port(11, "x", type) + port(12, "y", type))));
}

TEST_F(HostileFiles, SequencesAndOptionalsOfSymbolicShapeRun) {
    const fs::path sequence =
        put("sequence.onnx", model_with(node("x", "SequenceLength") +
                                        port(11, "x", sequence_type(tensor_type({"M", "K"}))) +
                                        port(12, "y", bytes(1, number(1, 7) + bytes(2, "")))));
    const std::string whole = sequence_type(tensor_type({"M", "K"}));
    const fs::path optional = put(
        "optional.onnx", model_with(node("x", "OptionalGetElement") +
                                    port(11, "x", optional_type(whole)) + port(12, "y", whole)));
    for (const fs::path& file : {sequence, optional}) {
        try_all(file);
        for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
                 {"run", file.string()},
                 {"optimize", file.string(), "--guard"},
                 {"bench", file.string(), "--runs", "2", "--seconds", "0.1"}}) {
            const Finished finished = finish(folder_.path(), command);
            EXPECT_EQ(finished.code, 0) << command[0] << " " << file << " " << finished.err;
        }
    }
}

TEST_F(HostileFiles, NamesOfAMillionCharacters) {
    const std::string name(1'000'000, 'n');
    try_all(put("names.onnx", model_with(node(name, "Relu", bytes(3, name) + bytes(6, name)) +
                                         port(11, name, tensor_type({"1", name})) +
                                         port(12, "y", tensor_type({name, name})))));
}

TEST_F(HostileFiles, TheCollection) {
    const fs::path collection = test_data() / "repro" / "hostile";
    if (!fs::exists(collection)) GTEST_SKIP() << "no " << collection;
    // These need work that takes long and can be cancelled.
    const std::set<std::string> work{"matmul_12000_cancel.onnx", "loop_grow.onnx"};
    for (const auto& entry : fs::directory_iterator(collection))
        if (entry.path().extension() == ".onnx" && !work.contains(entry.path().filename()))
            try_all(entry.path());
}

}  // namespace
}  // namespace lapidary

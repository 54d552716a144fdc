// SPDX-License-Identifier: Apache-2.0
// lapidary-cli, started as a program: what it links, exit codes, SIGINT, files that are broken on
// purpose.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "plugins/plugin_paths.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

struct Finished {
    int code = -1;  // 128 + signal when killed
    std::string out, err;
};

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {(std::istreambuf_iterator<char>(in)), {}};
}

/// Starts a program with its output in files of `folder`.
pid_t start(const std::filesystem::path& folder, const std::vector<std::string>& command) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::dup2(::open((folder / "out").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 1);
    ::dup2(::open((folder / "err").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
}

Finished finish(const std::filesystem::path& folder, pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            contents(folder / "out"), contents(folder / "err")};
}

Finished run(const TemporaryFolder& folder, const std::vector<std::string>& command) {
    return finish(folder.path(), start(folder.path(), command));
}

std::string save(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    save_model(model, folder / name);
    return (folder / name).string();
}

TEST(Program, LinksNoQt) {
    const TemporaryFolder folder;
    const Finished ldd = run(folder, {"ldd", cli_program()});
    ASSERT_EQ(ldd.code, 0) << ldd.err;
    EXPECT_NE(ldd.out.find("libc.so"), std::string::npos);
    EXPECT_EQ(ldd.out.find("Qt"), std::string::npos) << ldd.out;
    EXPECT_EQ(ldd.out.find("libGL"), std::string::npos) << ldd.out;
}

/// Code of plugins that ends the program is never taken for a success, whatever it says.
TEST(Program, APluginThatCallsExitFailsTheCommand) {
    const TemporaryFolder folder;
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.opset_imports["test"] = 1;
    GraphTextOptions options;
    options.opset = 17;
    const std::string net = (folder / "net.onnx").string(), out = (folder / "out.onnx").string();
    const std::string operators = test::plugin_file("operators").string();
    for (const std::string name : {"Exits", "ExitsQuickly"}) {
        model.graph = parse_graph("(x: f32[2]) -> (y)\ny = test::" + name + "(x)", options);
        save_model(model, net);
        for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
                 {"run", net}, {"optimize", net, "--guard", "-o", out}, {"profile", net}}) {
            std::vector<std::string> words{cli_program()};
            words.insert(words.end(), command.begin(), command.end());
            words.insert(words.end(), {"--plugin", operators});
            const Finished finished = run(folder, words);
            EXPECT_EQ(finished.code, 3) << name << ": " << command[0];
            const std::string reported =
                "crashed in plugin \"test_operators\": operator \"test::" + name +
                "\", which called exit()";
            EXPECT_NE(finished.err.find(reported), std::string::npos) << finished.err;
            EXPECT_FALSE(std::filesystem::exists(out));
        }
    }
    const Finished opened =
        run(folder, {cli_program(), "run", net, "--plugin", test::plugin_file("exits").string()});
    EXPECT_EQ(opened.code, 4);
    EXPECT_NE(opened.err.find("it crashed while it was probed: exit code 3"), std::string::npos)
        << opened.err;
}

TEST(Program, ExitCodes) {
    const TemporaryFolder folder;
    EXPECT_EQ(run(folder, {cli_program(), "--version"}).code, 0);
    EXPECT_EQ(run(folder, {cli_program()}).code, 2);
    EXPECT_EQ(run(folder, {cli_program(), "info", (folder / "none.onnx").string()}).code, 3);
    EXPECT_EQ(run(folder, {cli_program(), "run",
                           save(folder, "odd.onnx", "(x: f32[2]) -> (y)\n y = Frobnicate(x)")})
                  .code,
              4);
}

/// Whether the process has a handler of its own for the signal.
bool catches(pid_t process, int signal) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigCgt:"))
            return std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1;
    return false;
}

TEST(Program, APipeWhoseReaderHasGoneIsNoError) {
    const TemporaryFolder folder;
    const Finished done =
        run(folder, {"sh", "-c", "(sleep 0.2; '" + cli_program() + "' passes --json) | true"});
    EXPECT_EQ(done.err, "");
}

TEST(Program, OneInterruptCancels) {
    const TemporaryFolder folder;
    const std::string model = save(folder, "endless.onnx",
                                   R"((x: f32[4]) -> (y)
        y = Loop(n: i64[]{9223372036854775807}, c: bool[]{1}, x) {body: graph { (i: i64[], k: bool[], v: f32[4]) )"
                                   R"(-> (k2, w)
            k2 = Identity(k)
            w = Neg(v) }})");
    const pid_t child = start(folder.path(), {cli_program(), "run", model});
    for (int i = 0; i < 3000 && !catches(child, SIGINT); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // into the loop
    ASSERT_EQ(::waitpid(child, nullptr, WNOHANG), 0)
        << "the endless model ended: " << contents(folder / "err");
    const auto before = std::chrono::steady_clock::now();
    ::kill(child, SIGINT);
    const Finished finished = finish(folder.path(), child);
    EXPECT_EQ(finished.code, 5) << finished.err;
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(2) * wall_factor);
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

/// Tensor files of the collection of hostile inputs, as written by malformed/gen_malformed.py.
class HostileTensorFiles : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<TemporaryFolder>();
        const std::filesystem::path script = test_data() / "malformed" / "gen_malformed.py";
        if (!std::filesystem::exists(script)) return;
        std::filesystem::create_directory(*folder_ / "files");
        is_ready_ =
            run(*folder_, {"/usr/bin/python3", script.string(), (*folder_ / "files").string()})
                .code == 0;
        save(*folder_, "m.onnx", "(x: f32[2,2]) -> (y)\n y = Identity(x)");
        save(*folder_, "image.onnx", "(x: f32[1,3,8,8]) -> (y)\n y = Identity(x)");
    }
    static void TearDownTestSuite() { folder_.reset(); }
    void SetUp() override {
        if (!is_ready_) GTEST_SKIP() << "gen_malformed.py or python3-onnx is missing";
    }

    /// Within the time and with one line that names the file and the defect.
    void refused(const std::string& file, const std::string& model, const std::string& words,
                 bool is_archive = false) {
        const std::string path = (*folder_ / "files" / file).string();
        const auto before = std::chrono::steady_clock::now();
        const std::vector<std::string> option =
            is_archive ? std::vector<std::string>{"--inputs", path}
                       : std::vector<std::string>{"--input", "x=" + path};
        const Finished finished = run(
            *folder_, {cli_program(), "run", (*folder_ / model).string(), option[0], option[1]});
        EXPECT_TRUE(finished.code == 3 || finished.code == 4)
            << file << ": exit code " << finished.code << " " << finished.err;
        EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
        EXPECT_NE(finished.err.find(file), std::string::npos) << finished.err;
        EXPECT_NE(finished.err.find(words), std::string::npos)
            << file << ": no \"" << words << "\" in " << finished.err;
        EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(1) * wall_factor)
            << file;
    }

    static std::unique_ptr<TemporaryFolder> folder_;
    static bool is_ready_;
};
std::unique_ptr<TemporaryFolder> HostileTensorFiles::folder_;
bool HostileTensorFiles::is_ready_ = false;

TEST_F(HostileTensorFiles, ValidOnesRun) {
    for (const char* file : {"G01_ok.npy", "G09_big_endian.npy"}) {
        const Finished finished =
            run(*folder_, {cli_program(), "run", (*folder_ / "m.onnx").string(), "--input",
                           "x=" + (*folder_ / "files" / file).string()});
        EXPECT_EQ(finished.code, 0) << file << finished.err;
        const char* values = file[2] == '1' ? "values  0  0  0  0" : "values  1  3  2  4";
        EXPECT_NE(finished.out.find(values), std::string::npos) << finished.out;
    }
}

TEST_F(HostileTensorFiles, BrokenArraysAreRefused) {
    refused("G02_short.npy", "m.onnx", "needs 16 bytes of elements, found 5");
    refused("G03_shape_bomb.npy", "m.onnx", "limit");
    refused("G04_shape_wrap.npy", "m.onnx", "overflows");
    refused("G05_neg_shape.npy", "m.onnx", "negative dimension -1");
    refused("G06_object.npy", "m.onnx", "object arrays");
    refused("G07_header_len.npy", "m.onnx", "4294967295");
    refused("G08_header_deep.npy", "m.onnx", "120000");
    refused("G14_input_0.pb", "m.onnx", "1099511627776");
}

TEST_F(HostileTensorFiles, BrokenArchivesAreRefused) {
    refused("G10_bomb.npz", "m.onnx", "found u8[30000000]", true);
    refused("G11_traversal_dup.npz", "m.onnx", "the same name", true);
    refused("G12_crc.npz", "m.onnx", "inconsistent", true);
    refused("G13_truncated.npz", "m.onnx", "not a valid .npz", true);
}

TEST_F(HostileTensorFiles, BrokenImagesAreRefused) {
    refused("G15_bomb.png", "image.onnx", "60000x60000");
    refused("G16_trunc.jpg", "image.onnx", "JPEG image cannot be decoded");
    refused("G17_zero.png", "image.onnx", "PNG image cannot be decoded");
}

}  // namespace
}  // namespace lapidary

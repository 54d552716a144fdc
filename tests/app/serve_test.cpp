// SPDX-License-Identifier: Apache-2.0
// The worker process by its protocol: what it answers, what it refuses, how it ends.
#include "worker/process/serve.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/internal/shared_memory.h>

#include "support/shared_memory_names.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "support/wine.h"
#include "worker/protocol/bytes/run_record_bytes.h"
#include "worker/process/worker_process.h"
#ifndef _WIN32
#include "plugins/plugin_paths.h"
#endif

namespace lapidary::app {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

class ServeTest : public testing::Test {
protected:
    void SetUp() override { start(); }
    void TearDown() override { SharedMemory::remove_left_by(worker_->id()); }
    void start(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.begin(), {cli_program(), "serve"});
        worker_ = std::make_unique<WorkerProcess>(arguments);
        hello_ = next();
    }
    Json next() {
        const auto line = worker_->read_line();
        return line ? Json::parse(*line) : Json();
    }
    /// The next line that ends a job or complains, passing over progress and signs of life.
    Json answer() {
        for (;;) {
            Json json = next();
            if (!json.contains("progress") && !json.contains("alive")) return json;
        }
    }
    Json ask(const Json& request) {
        worker_->send(request.dump());
        return answer();
    }
    static Json profile(int id, const std::string& sample, int repetitions = 2) {
        return {{"id", id},
                {"job", "profile"},
                {"model", {{"sample", sample}}},
                {"settings", {{"repetitions", repetitions}, {"warmups", 0}, {"threads", 1}}}};
    }
    static RunRecord take(const Json& answer) {
        const Json& block = answer.at("result").at("block");
        const auto memory =
            std::make_shared<SharedMemory>(SharedMemory::take(block.at("name"), block.at("bytes")));
        ByteReader reader(memory->bytes(), memory);
        return read_run_record(reader, nullptr, {});
    }
    std::string code(const Json& answer) { return answer.at("error").at("code"); }
    std::string message(const Json& answer) { return answer.at("error").at("message"); }

    std::unique_ptr<WorkerProcess> worker_;
    Json hello_;
};

TEST_F(ServeTest, SaysHelloAndRuns) {
    EXPECT_EQ(hello_.at("hello").at("protocol"), protocol_version);
    EXPECT_EQ(hello_.at("hello").at("process"), worker_->id());
    const Json answer = ask(profile(5, "mlp"));
    ASSERT_TRUE(answer.contains("result")) << answer;
    EXPECT_EQ(answer.at("id"), 5);
    const RunRecord record = take(answer);
    EXPECT_EQ(record.profile->runs, 2);
    EXPECT_FALSE(record.outputs.empty());
    EXPECT_FALSE(record.plan.steps.empty());
    ASSERT_TRUE(record.counters);
    EXPECT_EQ(record.counters->runs, 2);
    EXPECT_GT(record.counters->seconds, 0);
    EXPECT_EQ(test::shared_memory_names(worker_->id()), 0u);
}

TEST_F(ServeTest, RefusesWhatIsNoRequestAndGoesOn) {
    struct Bad {
        std::string line, code, word;
        bool has_id;
    };
    const std::string model = R"("model":{"sample":"mlp"})", settings = R"("settings":{})";
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    const std::vector<Bad> lines{
        {"hello there", "invalid_input", "no JSON", false},
        {"{\"id\":1,", "invalid_input", "no JSON", false},
        {std::string("\x00\xff\xfe{}", 5), "invalid_input", "no JSON", false},
        {std::string(200'000, '['), "invalid_input", "deep", false},
        {R"({"id":)" + deep + R"(,"job":"profile"})", "invalid_input", "deep", false},
        {R"({"cancel":)" + deep + "}", "invalid_input", "deep", false},
        {R"({"id":1,"job":"profile",)" + model + R"(,"settings":{"config":)" +
             std::string(90, '[') + std::string(90, ']') + "}}",
         "invalid_input", "config", true},
        {std::string(longest_request + 100, 'x'), "limit_exceeded", "longer than", false},
        {"[1, 2]", "invalid_input", "expected an object", false},
        {"{}", "invalid_input", "\"id\"", false},
        {R"({"id":"one","job":"profile"})", "invalid_input", "whole number", false},
        {R"({"cancel":true})", "invalid_input", "whole number", false},
        {R"({"id":1})", "invalid_input", "\"job\"", false},
        {R"({"id":1,"job":"dance"})", "invalid_input", "profile", true},
        {R"({"id":1,"job":"profile",)" + model + "}", "invalid_input", "settings", true},
        {R"({"id":1,"job":"profile",)" + settings + "}", "invalid_input", "model", true},
        {R"({"id":1,"job":"profile","speed":9,)" + model + ',' + settings + "}", "invalid_input",
         "speed", true},
        {R"({"id":1,"job":"profile",)" + model + R"(,"settings":{"threads":-1}})", "invalid_input",
         "threads", true},
        {R"({"id":1,"job":"profile",)" + model + R"(,"settings":{"threads":99999999999999}})",
         "invalid_input", "threads", true},
        {R"({"id":1,"job":"profile",)" + model + R"(,"settings":{"dimensions":{"n":"x"}}})",
         "invalid_input", "dimensions", true},
        {R"({"id":1,"job":"profile","model":{"sample":"nothing"},)" + settings + "}",
         "invalid_input", "nothing", true},
        {R"({"id":1,"job":"profile","model":{"file":"/nowhere/x.onnx"},)" + settings + "}",
         "io_failure", "cannot be read", true},
        {R"({"id":1,"job":"profile","model":{"sample":"mlp","recipe":{"level":"most"}},)" +
             settings + "}",
         "invalid_input", "most", true},
    };
    for (const Bad& bad : lines) {
        worker_->send(bad.line);
        const Json answer = this->answer();
        ASSERT_TRUE(answer.contains("error")) << bad.line.substr(0, 100) << ' ' << answer;
        EXPECT_EQ(code(answer), bad.code) << answer;
        EXPECT_NE(message(answer).find(bad.word), std::string::npos) << answer;
        EXPECT_EQ(answer.contains("id"), bad.has_id) << answer;
    }
    worker_->send(R"({"cancel": 77})");  // no such request
    EXPECT_TRUE(ask(profile(1, "mlp")).contains("result"));
}

TEST_F(ServeTest, CancelsTheRunningAndTheWaiting) {
    worker_->send(profile(1, "squeezenet", most_repetitions).dump());
    worker_->send(profile(2, "mlp").dump());
    worker_->send(profile(3, "mlp").dump());
    worker_->send(profile(3, "mlp").dump());
    const Json twice = answer();
    EXPECT_NE(message(twice).find("already"), std::string::npos) << twice;
    worker_->send(R"({"cancel": 2})");
    for (Json json = next(); json.at("progress").at("stage") != "run"; json = next()) {}
    const auto start = Clock::now();
    worker_->send(R"({"cancel": 1})");
    const Json first = answer();
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(1) * wall_factor) << "cooperative";
    EXPECT_EQ(first.at("id"), 1);
    if (first.contains("result")) take(first);  // of the repetitions that were finished
    else EXPECT_EQ(code(first), "cancelled");
    const Json second = answer();
    EXPECT_EQ(second.at("id"), 2);
    EXPECT_EQ(code(second), "cancelled");
    const Json third = answer();
    EXPECT_EQ(third.at("id"), 3);
    ASSERT_TRUE(third.contains("result")) << third;
    take(third);
}

TEST_F(ServeTest, EndsWithItsInput) {
    const auto ended_in_time = [&] {
        const auto start = Clock::now();
        while (worker_->read_line()) {}
        EXPECT_EQ(worker_->wait_for_end(), "exit code 0");
        EXPECT_EQ(test::shared_memory_names(worker_->id()), 0u);
        return Clock::now() - start < std::chrono::seconds(2) * wall_factor;
    };
    worker_->close_input();
    EXPECT_TRUE(ended_in_time());

    start();
    ASSERT_TRUE(ask(profile(1, "mlp")).contains("result"));  // a result that is not taken
#ifndef _WIN32
    EXPECT_EQ(test::shared_memory_names(worker_->id()), 1u);
#endif
    worker_->send(profile(2, "mlp").dump());
    worker_->send(profile(3, "mlp").dump());
    worker_->close_input();
    for (const int id : {2, 3}) {
        const Json answer = this->answer();
        EXPECT_EQ(answer.at("id"), id);
        EXPECT_TRUE(answer.contains("result")) << "what was asked for is done: " << answer;
    }
    EXPECT_TRUE(ended_in_time());
}

#ifndef _WIN32
TEST_F(ServeTest, AJobThatDoesNotStopEndsWithTheProcessAsCancelled) {
    const TemporaryFolder folder;
    Model model;
    model.opset_imports = {{"", 17}, {"test", 1}};
    model.graph = parse_graph("(x: f32[2]) -> (y)\ny = test::Sleeps(x)");
    save_model(model, folder / "sleeps.onnx");
    start({"--plugin", test::plugin_file("operators").string()});
    hello_ = next();  // the first line was about the plugin
    Json request = profile(1, "");
    request["model"] = {{"file", (folder / "sleeps.onnx").string()}};
    worker_->send(request.dump());
    for (Json json = next(); json.at("progress").at("stage") != "run"; json = next()) {}
    const auto start = Clock::now();
    ::kill(static_cast<pid_t>(worker_->id()), SIGTERM);
    while (worker_->read_line()) {}
    EXPECT_EQ(worker_->wait_for_end(), "exit code 5") << "cancelled";
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(3) * wall_factor);
}

TEST_F(ServeTest, EndsWhenItsSessionDoes) {
    worker_->send(profile(1, "squeezenet", most_repetitions).dump());
    for (Json json = next(); json.at("progress").at("stage") != "run"; json = next()) {}
    const auto start = Clock::now();
    ::kill(static_cast<pid_t>(worker_->id()), SIGHUP);
    while (worker_->read_line()) {}
    EXPECT_EQ(worker_->wait_for_end(), "exit code 5") << "cancelled";
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(2) * wall_factor);
    EXPECT_EQ(test::shared_memory_names(worker_->id()), 0u);
}
#endif

#ifndef _WIN32  // speaks to a shell
TEST_F(ServeTest, EndsWithItsReader) {
    const TemporaryFolder folder;
    const std::string request = folder / "request.json";
    std::ofstream(request) << profile(1, "squeezenet", most_repetitions).dump() << '\n';
    const auto start = Clock::now();
    // The reader goes after a few lines, the worker with it, which leaves its number.
    const std::string command = "{ " + cli_program() + " serve < " + request + " & echo $! > " +
                                (folder / "process").string() + "; wait; } | head -n 3 > /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(4) * wall_factor);
    long process = 0;
    std::ifstream(folder / "process") >> process;
    EXPECT_GT(process, 0);
    EXPECT_EQ(test::shared_memory_names(process), 0u);
}
#endif

#ifndef _WIN32  // speaks to a shell
TEST_F(ServeTest, EndsWithItsReaderThoughItsInputStaysOpen) {
    // The reader takes the hello and goes. The input, a pipe that the shell holds open, never ends.
    const TemporaryFolder folder;
    const std::string pipe = (folder / "requests").string(),
                      command = "mkfifo " + pipe + " && exec 3<>" + pipe + " && timeout 20 " +
                                cli_program() + " serve <&3 | head -n 1 > /dev/null";
    const auto start = Clock::now();
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(4) * wall_factor);
}
#endif

TEST_F(ServeTest, ThreadsThatTheSystemRefusesAreAnErrorAndNoEnd) {
    if (test::is_wine()) GTEST_SKIP() << "Wine holds no process to a memory limit";
    if (under_sanitizer) GTEST_SKIP() << "the sanitizer ends a process that reaches its limit";
    start({"--memory-limit", std::to_string(600 << 20)});
    int id = 0;
    for (const Json& configuration :
         {Json{{"inter", 100}, {"execution", "parallel"}}, Json{{"intra", 200}}}) {
        const Json request{
            {"id", ++id},
            {"job", "measure"},
            {"options", {{"seconds", 0.1}}},
            {"candidates",
             Json::array({{{"model", {{"sample", "mlp"}}}, {"configuration", configuration}}})}};
        worker_->send(request.dump());
        Json last;
        for (last = next(); last.is_object() && !last.contains("result") && !last.contains("error");
             last = next()) {}
        const std::string text = last.dump();
        EXPECT_NE(text.find("asked for " + std::string(id == 1 ? "99" : "199")), std::string::npos)
            << text;
        EXPECT_NE(text.find(", got "), std::string::npos) << text;
    }
    const Json answer = ask(profile(++id, "mlp"));
    ASSERT_TRUE(answer.contains("result")) << answer;
    take(answer);
}

/// y = x + w with w in a file beside the model.
class ExternalWeights {
public:
    ExternalWeights() {
        Model model;
        model.opset_imports[""] = 17;
        GraphEdit edit(model.graph);
        const ValueId x = edit.add_input("x", Type::tensor(DType::f32, SymbolicShape{2'000'000})),
                      w = edit.add_initializer("w", weights(1));
        edit.set_outputs({edit.node("Add", {x, w})});
        edit.finish();
        SaveOptions options;
        options.external_data_min_bytes = 1024;
        save_model(model, file(), options);
        data_ = load_model(file()).external_files.at(0);
    }
    static Tensor weights(float value) {
        Tensor w(DType::f32, {2'000'000});  // mapped, not read
        std::ranges::fill(w.mutable_data<float>(), value);
        return w;
    }
    std::filesystem::path file() const { return folder_ / "net.onnx"; }
    const std::filesystem::path& data() const { return data_; }
    void write(const std::filesystem::path& to, float value) const {
        const Tensor w = weights(value);
        std::ofstream(to, std::ios::binary | std::ios::trunc)
            .write(reinterpret_cast<const char*>(w.raw()),
                   static_cast<std::streamsize>(w.byte_size()));
    }

private:
    TemporaryFolder folder_;
    std::filesystem::path data_;
};

TEST_F(ServeTest, WeightsThatWereReplacedOrCutAreReadAgain) {
    const ExternalWeights weights;
    Json request = profile(1, "");
    request["model"] = {{"file", weights.file().string()}, {"recipe", {{"level", "basic"}}}};
    request["settings"]["config"] = Json::object();
    const auto mean = [&] {  // of y - x, which only w moves
        const Json answer = ask(request);
        EXPECT_TRUE(answer.contains("result")) << answer;
        double sum = 0;
        if (!answer.contains("result")) return sum;
        const RunRecord record = take(answer);
        for (const double value : to_doubles(record.outputs.at(0).second.tensor())) sum += value;
        return sum / 2'000'000;
    };
    const double before = mean();
    const std::filesystem::path other = weights.data().string() + ".new";
    weights.write(other, 5);
    std::filesystem::last_write_time(other, std::filesystem::last_write_time(weights.data()));
    std::error_code refused;
    std::filesystem::rename(other, weights.data(), refused);  // of the same size and time
    if (refused) {
        EXPECT_NEAR(mean(), before, 1e-3);
        GTEST_SKIP() << "this system does not let a file be replaced that is mapped: "
                     << refused.message();
    }
    EXPECT_NEAR(mean() - before, 4, 1e-3);
    std::filesystem::resize_file(weights.data(), 100);
    const Json cut = ask(request);
    ASSERT_TRUE(cut.contains("error")) << cut;
    EXPECT_NE(message(cut).find("bytes"), std::string::npos) << cut;
    weights.write(weights.data(), 8);
    EXPECT_NEAR(mean() - before, 7, 1e-3) << "whole again";
}

TEST_F(ServeTest, ReadsForWhoeverOpensAFile) {
    EXPECT_EQ(
        ask({{"id", 1}, {"job", "read"}, {"model", {{"sample", "mlp"}}}}).at("result").at("nodes"),
        build_sample("mlp").graph.node_count());
    const Json missing =
        ask({{"id", 2}, {"job", "read"}, {"model", {{"file", "/nowhere/x.onnx"}}}});
    EXPECT_EQ(code(missing), "io_failure") << missing;
}

TEST_F(ServeTest, AFileThatChangedIsRefused) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "net.onnx";
    save_model(build_sample("mlp"), file);
    Json request = profile(1, "");
    request["model"] = {
        {"file", file.string()},
        {"bytes", std::filesystem::file_size(file)},
        {"modified", std::filesystem::last_write_time(file).time_since_epoch().count()}};
    const Json good = ask(request);
    ASSERT_TRUE(good.contains("result")) << good;
    take(good);
    std::ofstream(file, std::ios::app) << "more";
    const Json bad = ask(request);
    EXPECT_EQ(code(bad), "io_failure") << bad;
    EXPECT_NE(message(bad).find("changed after it was opened"), std::string::npos) << bad;
    EXPECT_EQ(bad.at("error").at("where").at(0), file.string());
}

TEST_F(ServeTest, AMemoryLimitIsAnErrorAndNoEnd) {
    if (test::is_wine()) GTEST_SKIP() << "Wine holds no process to a memory limit";
    if (under_sanitizer) GTEST_SKIP() << "the sanitizer ends a process that reaches its limit";
    start({"--memory-limit", std::to_string(200 << 20)});
    const Json large = ask(profile(1, "bert-base"));  // 440 MB of weights
    ASSERT_TRUE(large.contains("error")) << large;
    EXPECT_EQ(code(large), "limit_exceeded") << large;
    EXPECT_NE(message(large).find("memory limit of runs is 200 MiB"), std::string::npos) << large;
    const Json small = ask(profile(2, "mlp"));
    ASSERT_TRUE(small.contains("result")) << small;
    take(small);
}

TEST_F(ServeTest, AMemoryLimitThatIsTooLowIsRefused) {
    for (const char* const nonsense : {"-1", "-1GB", "", "GB", "99999999999999999999999999"}) {
        WorkerProcess refused({cli_program(), "serve", "--memory-limit", nonsense});
        EXPECT_FALSE(refused.read_line()) << nonsense;
        EXPECT_EQ(refused.wait_for_end(), "exit code 2") << nonsense;
        EXPECT_NE(refused.last_words().find("--memory-limit"), std::string::npos)
            << refused.last_words();
    }
    WorkerProcess worker({cli_program(), "serve", "--memory-limit", "1000"});
    EXPECT_EQ(worker.read_line(), std::nullopt);
    EXPECT_EQ(worker.wait_for_end(), "exit code 3");
    EXPECT_NE(worker.last_words().find("at least"), std::string::npos) << worker.last_words();
}

}  // namespace
}  // namespace lapidary::app

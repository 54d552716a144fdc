// SPDX-License-Identifier: Apache-2.0
// How long products, convolutions and attention take on a device, by way (own, split otherwise, Hopper, cuBLASLt):
// written as lines of JSON to the file that LAPIDARY_CUDA_TIMES names, of the sizes that the targets are about. Without
// that variable, and always on the emulated device, small sizes run, so that the measuring itself is tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <unistd.h>

#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/infer.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

struct Job {
    std::string kind, name, graph;
    double operations = 0, bytes = 0;  // that it cannot do without
    std::int64_t rows = 0;             // of a product
    std::string precision = "exact";
    bool is_tuned = true;              // else there is one way, and the spans of runs tell how long it takes
};

std::string dims(std::initializer_list<std::int64_t> sizes) {
    std::string text;
    for (std::int64_t s : sizes) text += (text.empty() ? "" : ",") + std::to_string(s);
    return "[" + text + "]";
}

Job product(const char* type, std::int64_t m, std::int64_t n, std::int64_t k) {
    const double width = std::string_view(type) == "f32" ? 4 : 2;
    const auto count = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) * static_cast<double>(b); };
    return {"product",
            std::string(type) + " " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k),
            "(a: " + std::string(type) + dims({m, k}) + ", b: " + type + dims({k, n}) + ") -> (y)\ny = MatMul(a, b)",
            2 * count(m, n) * static_cast<double>(k),
            width * (count(m, k) + count(k, n) + count(m, n)),
            m,
            std::string_view(type) == "f32" ? "tf32" : "exact"};
}

Job split_product(std::int64_t m, std::int64_t n, std::int64_t k) {
    Job job = product("f32", m, n, k);
    job.kind = "product in three parts";
    job.precision = "tf32x3";
    return job;
}

Job byte_product(std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto count = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) * static_cast<double>(b); };
    return {"product of bytes",
            "u8 x i8 " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k),
            "(a: u8" + dims({m, k}) + ", b: i8" + dims({k, n}) +
                ", z: u8[]) -> (y)\ny = MatMulInteger(a, b, z)",
            2 * count(m, n) * static_cast<double>(k),
            count(m, k) + count(k, n) + 4 * count(m, n),
            m,
            "exact",
            false};
}

Job attention(std::int64_t batch, std::int64_t heads, std::int64_t queries, std::int64_t keys, std::int64_t size) {
    const std::string q = "f16" + dims({batch, heads, queries, size}), k = "f16" + dims({batch, heads, keys, size});
    const auto cells = static_cast<double>(batch * heads * size);
    return {"attention",
            "f16 batch " + std::to_string(batch) + ", heads " + std::to_string(heads) + "x" + std::to_string(size) +
                ", " + std::to_string(queries) + " queries, " + std::to_string(keys) + " keys",
            "(q: " + q + ", k: " + k + ", v: " + k + ") -> (y)\ny = Attention(q, k, v)",
            4 * cells * static_cast<double>(queries) * static_cast<double>(keys),
            4 * cells * static_cast<double>(queries + keys),
            0};
}

/// Two in a row, which a session moves to channels last where that is worth it.
Job convolution(std::int64_t batch, std::int64_t channels, std::int64_t size, std::int64_t kernel) {
    const std::string x = "f16" + dims({batch, channels, size, size}),
                      w = "f16" + dims({channels, channels, kernel, kernel});
    const std::string pads = std::to_string(kernel / 2),
                      window = " {pads: [" + pads + "," + pads + "," + pads + "," + pads + "]}";
    const double values = static_cast<double>(batch * channels) * static_cast<double>(size * size);
    const auto taps = static_cast<double>(channels * kernel * kernel);
    return {"convolution",
            "f16 batch " + std::to_string(batch) + ", " + std::to_string(channels) + " channels, " +
                std::to_string(size) + "x" + std::to_string(size) + ", window " + std::to_string(kernel),
            "(x: " + x + ") -> (y)\na = Conv(x, w: " + w + ")" + window + "\ny = Conv(a, v: " + w + ")" + window,
            2 * values * taps,
            2 * (2 * values + taps * static_cast<double>(channels)),
            0};
}

std::vector<Job> jobs(bool is_large) {
    if (!is_large)
        return {product("f16", 24, 40, 64), product("f32", 9, 17, 33), attention(1, 2, 5, 70, 16),
                convolution(1, 8, 6, 3), split_product(20, 17, 33), byte_product(20, 17, 33)};
    std::vector<Job> list;
    for (std::int64_t m : {1, 8, 32, 128})
        for (const auto& [n, k] : {std::pair{768, 768}, {3072, 768}, {768, 3072}})
            list.push_back(product("f16", m, n, k));
    for (const auto& [m, n, k] : {std::tuple{512, 768, 768}, {4096, 768, 3072}, {4096, 4096, 4096}, {8192, 8192, 1024}})
        list.push_back(product("f16", m, n, k));
    for (const auto& [m, n, k] : {std::tuple{128, 768, 768}, {4096, 4096, 1024}})
        list.push_back(product("f32", m, n, k));
    list.push_back(product("bf16", 4096, 4096, 4096));
    list.push_back(split_product(4096, 4096, 1024));
    for (const auto& [m, n, k] : {std::tuple{1, 768, 3072}, {128, 768, 768}, {4096, 768, 3072}, {4096, 4096, 4096}})
        list.push_back(byte_product(m, n, k));
    list.insert(list.end(),
                {attention(1, 12, 128, 128, 64), attention(1, 12, 512, 512, 64), attention(32, 12, 128, 128, 64),
                 attention(1, 12, 1, 129, 64), attention(1, 12, 1, 2048, 64), attention(8, 16, 1024, 1024, 128)});
    for (std::int64_t batch : {1, 128})
        for (const auto& [channels, size] : {std::pair{64, 56}, {128, 28}, {256, 14}, {512, 7}})
            for (std::int64_t kernel : {1, 3}) list.push_back(convolution(batch, channels, size, kernel));
    return list;
}

class KernelTimes : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("lapidary_times_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Lines of the tuning file behind its four of the head, after a run.
    std::vector<std::string> measured(const Job& job) const {
        const fs::path file = folder_ / "times.tuning";
        fs::remove(file);
        Model model = model_of(job.graph, job.kind == "attention" ? 23 : 17);
        infer_types(model);
        std::map<std::string, std::string> options{{"graphs", "off"}, {"take_all", "on"}, {"precision", job.precision}};
        if (job.is_tuned) {
            options["tune"] = "on";
            options["tune_file"] = file.string();
        }
        SessionOptions session_options;
        session_options.providers.push_back(open(options));
        Session session = Session::compile(std::make_shared<const Model>(model), session_options);
        std::vector<std::string> lines;
        if (!job.is_tuned) {
            RunOptions runs;
            runs.profile = true;
            runs.repetitions = 20;
            lines.push_back(shortest(*session.run(generate_inputs(model, {}, {.seed = 1}), runs).profile));
            return lines;
        }
        session.run(generate_inputs(model, {}, {.seed = 1}));
        std::ifstream in(file);
        std::string line;
        for (int i = 0; std::getline(in, line); ++i)
            if (i >= 4) lines.push_back(line);
        return lines;
    }

private:
    /// "product own 12.5", as files of tuning have it: the span of the first kernel on the device.
    static std::string shortest(const Profile& profile) {
        double least = 0;
        for (const Span& span : profile.kernels) {
            if (span.op != "MatMulInteger" || span.provider != name_of_provider()) continue;
            const double took = static_cast<double>(span.end_ns - span.begin_ns) / 1e3;
            least = least == 0 ? took : std::min(least, took);
        }
        return "product own " + std::to_string(least);
    }
    /// A provider each, whose table is empty.
    static std::shared_ptr<const Provider> open(std::map<std::string, std::string> options) {
        static int number = 0;
        if (!is_on_gpu()) options["order"] = std::to_string(1000 + number++);
        if (!is_on_gpu()) return new_provider(options);
        auto on_hopper = options;
        on_hopper["hopper"] = "all";
        try {
            return new_provider(on_hopper);
        } catch (const Error&) {  // another compute capability
            return new_provider(options);
        }
    }
    fs::path folder_;
};

/// {"kind": ..., "name": ..., "gflop": ..., "mbytes": ..., "us": {"own": 12.5, ...}}
std::string json_of(const Job& job, const std::string& line) {
    std::istringstream words(line);
    std::string key, way;
    double microseconds = 0;
    words >> key;
    std::ostringstream out;
    out << "{\"kind\": \"" << job.kind << "\", \"name\": \"" << job.name << "\", \"key\": \"" << key
        << "\", \"gflop\": " << job.operations / 1e9 << ", \"mbytes\": " << job.bytes / 1e6
        << ", \"rows\": " << job.rows << ", \"us\": {";
    for (bool is_first = true; words >> way >> microseconds; is_first = false)
        out << (is_first ? "" : ", ") << "\"" << way << "\": " << microseconds;
    out << "}}";
    return out.str();
}

TEST_F(KernelTimes, AreMeasuredByWay) {
    const char* const file = std::getenv("LAPIDARY_CUDA_TIMES");
    const bool is_large = file && is_on_gpu();
    std::ofstream out;
    if (file) out.open(file);
    for (const Job& job : jobs(is_large)) {
        std::vector<std::string> lines;
        try {
            lines = measured(job);
        } catch (const Error& error) {
            ADD_FAILURE() << job.name << ": " << error.what();
            continue;
        }
        ASSERT_FALSE(lines.empty()) << job.name;
        const std::string text = json_of(job, lines.front());
        EXPECT_NE(text.find("\"own\": "), std::string::npos) << text;
        std::cout << text << "\n";
        if (file) out << text << std::endl;
    }
}

}  // namespace
}  // namespace lapidary::test

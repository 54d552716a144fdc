// SPDX-License-Identifier: Apache-2.0
// How long products, convolutions and attention take on a device by each kernel variant (own, other
// splits, Hopper, cuBLASLt), as lines of JSON in the file that LAPIDARY_CUDA_TIMES names. The sizes
// are those for which times are promised. Without that variable, and always on the emulated device,
// small sizes run, so that the measuring itself is tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "passes/session/channels_last_regions.h"
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
    // an operator of one way: the spans of its runs say how long it takes
    std::string spanned;
    bool channels_last = false;  // whatever it costs to bring them there
};

std::string dims(std::initializer_list<std::int64_t> sizes) {
    std::string text;
    for (std::int64_t s : sizes) text += (text.empty() ? "" : ",") + std::to_string(s);
    return "[" + text + "]";
}

/// By weights.
Job product(const char* type, std::int64_t m, std::int64_t n, std::int64_t k) {
    const double width = std::string_view(type) == "f32" ? 4 : 2;
    const auto count = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) * static_cast<double>(b);
    };
    return {"product",
            std::string(type) + " " + std::to_string(m) + "x" + std::to_string(n) + "x" +
                std::to_string(k),
            "(a: " + std::string(type) + dims({m, k}) + ") -> (y)\ny = MatMul(a, b: " + type +
                dims({k, n}) + ")",
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
    const auto count = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) * static_cast<double>(b);
    };
    return {"product of bytes",
            "u8 x i8 " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k),
            "(a: u8" + dims({m, k}) + ", b: i8" + dims({k, n}) +
                ", z: u8[]) -> (y)\ny = MatMulInteger(a, b, z)",
            2 * count(m, n) * static_cast<double>(k),
            count(m, k) + count(k, n) + 4 * count(m, n),
            m,
            "exact",
            "MatMulInteger"};
}

/// Weights of 4 bits in blocks of 32.
Job block_product(std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto count = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) * static_cast<double>(b);
    };
    return {"product of weights of 4 bits",
            "f16 " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k),
            "(a: f16" + dims({m, k}) + ", b: u8" + dims({n, k / 32, 16}) + ", s: f16" +
                dims({n * k / 32}) + ") -> (y)\ny = com.microsoft::MatMulNBits(a, b, s) {K: " +
                std::to_string(k) + ", N: " + std::to_string(n) + ", bits: 4, block_size: 32}",
            2 * count(m, n) * static_cast<double>(k),
            count(n, k) * 9 / 16 + 2 * (count(m, k) + count(m, n)),
            m,
            "exact",
            "MatMulNBits"};
}

Job byte_convolution(std::int64_t channels, std::int64_t size, std::int64_t kernel) {
    const std::string pads = std::to_string(kernel / 2);
    const double values = static_cast<double>(channels) * static_cast<double>(size * size);
    const auto taps = static_cast<double>(channels * kernel * kernel);
    return {"convolution of bytes",
            "u8 x i8 " + std::to_string(channels) + " channels, " + std::to_string(size) + "x" +
                std::to_string(size) + ", window " + std::to_string(kernel),
            "(x: u8" + dims({1, channels, size, size}) + ", w: i8" +
                dims({channels, channels, kernel, kernel}) +
                ") -> (y)\ny = QLinearConv(x, r: f32[]{0.02}, z: u8[]{100}, w, t: f32[]{0.01}, v: "
                "i8[]{0}, u: "
                "f32[]{0.5}, o: u8[]{128}) {pads: [" +
                pads + "," + pads + "," + pads + "," + pads + "]}",
            2 * values * taps,
            2 * values + taps * static_cast<double>(channels),
            0,
            "exact",
            "QLinearConv"};
}

Job lstm(std::int64_t steps, std::int64_t batch, std::int64_t hidden) {
    const auto weights = static_cast<double>(8 * hidden * hidden);
    return {"lstm",
            std::to_string(steps) + " steps, batch " + std::to_string(batch) + ", " +
                std::to_string(hidden) + " units",
            "(x: f32" + dims({steps, batch, hidden}) + ", w: f32" + dims({1, 4 * hidden, hidden}) +
                ", r: f32" + dims({1, 4 * hidden, hidden}) +
                ") -> (y)\ny = LSTM(x, w, r) {hidden_size: " + std::to_string(hidden) + "}",
            2 * weights * static_cast<double>(steps * batch),
            4 * weights,
            0,
            "exact",
            "LSTM"};
}

Job attention(std::int64_t batch, std::int64_t heads, std::int64_t queries, std::int64_t keys,
              std::int64_t size) {
    const std::string q = "f16" + dims({batch, heads, queries, size}),
                      k = "f16" + dims({batch, heads, keys, size});
    const auto cells = static_cast<double>(batch * heads * size);
    return {"attention",
            "f16 batch " + std::to_string(batch) + ", heads " + std::to_string(heads) + "x" +
                std::to_string(size) + ", " + std::to_string(queries) + " queries, " +
                std::to_string(keys) + " keys",
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
                std::to_string(size) + "x" + std::to_string(size) + ", window " +
                std::to_string(kernel),
            "(x: " + x + ") -> (y)\na = Conv(x, w: " + w + ")" + window + "\ny = Conv(a, v: " + w +
                ")" + window,
            2 * values * taps,
            2 * (2 * values + taps * static_cast<double>(channels)),
            0};
}

/// One with channels last, as ResNet-50 has them at batch 1: with a bias and Relu, and with a
/// residual where it has more filters than channels. `size`: of the output.
Job layer(std::int64_t channels, std::int64_t filters, std::int64_t size, std::int64_t kernel,
          std::int64_t stride) {
    const std::int64_t input = size * stride;
    const std::string pad = std::to_string(kernel / 2), step = std::to_string(stride),
                      y = "f16" + dims({1, filters, size, size});
    const bool has_residual = filters > channels && stride == 1;
    const auto values = static_cast<double>(channels * input * input +
                                            filters * size * size * (has_residual ? 2 : 1));
    const auto weights = static_cast<double>(filters * channels * kernel * kernel);
    Job job{"convolution",
            "f16 batch 1, " + std::to_string(channels) + " to " + std::to_string(filters) +
                " channels, to " + std::to_string(size) + "x" + std::to_string(size) + ", window " +
                std::to_string(kernel) + ", stride " + step,
            "(x: f16" + dims({1, channels, input, input}) + (has_residual ? ", r: " + y : "") +
                ") -> (y)\n" + "a = Conv(x, w: f16" + dims({filters, channels, kernel, kernel}) +
                ", b: f16" + dims({filters}) + ") {pads: [" + pad + "," + pad + "," + pad + "," +
                pad + "], strides: [" + step + "," + step + "]}\n" +
                (has_residual ? "s = Add(a, r)\ny = Relu(s)" : "y = Relu(a)"),
            2 * weights * static_cast<double>(size * size),
            2 * (values + weights),
            0};
    job.channels_last = true;
    return job;
}

std::vector<Job> jobs(bool is_large) {
    if (!is_large)
        return {product("f16", 24, 40, 64),
                product("f32", 9, 17, 33),
                attention(1, 2, 5, 70, 16),
                convolution(1, 8, 6, 3),
                layer(64, 72, 3, 1, 2),
                layer(64, 64, 5, 3, 1),
                split_product(20, 17, 33),
                byte_product(20, 17, 33),
                block_product(3, 8, 64),
                byte_convolution(8, 6, 3),
                lstm(3, 1, 8)};
    std::vector<Job> list;
    for (std::int64_t m : {1, 8, 32, 128})
        for (const auto& [n, k] : {std::pair{768, 768}, {3072, 768}, {768, 3072}})
            list.push_back(product("f16", m, n, k));
    for (const auto& [m, n, k] :
         {std::tuple{512, 768, 768}, {4096, 768, 3072}, {4096, 4096, 4096}, {8192, 8192, 1024}})
        list.push_back(product("f16", m, n, k));
    for (const auto& [m, n, k] : {std::tuple{128, 768, 768}, {4096, 4096, 1024}})
        list.push_back(product("f32", m, n, k));
    list.push_back(product("bf16", 4096, 4096, 4096));
    list.push_back(split_product(4096, 4096, 1024));
    for (const auto& [m, n, k] :
         {std::tuple{1, 768, 3072}, {128, 768, 768}, {4096, 768, 3072}, {4096, 4096, 4096}})
        list.push_back(byte_product(m, n, k));
    list.insert(list.end(), {attention(1, 12, 128, 128, 64), attention(1, 12, 512, 512, 64),
                             attention(32, 12, 128, 128, 64), attention(1, 12, 1, 129, 64),
                             attention(1, 12, 1, 2048, 64), attention(8, 16, 1024, 1024, 128)});
    for (std::int64_t batch : {1, 128})
        for (const auto& [channels, size] : {std::pair{64, 56}, {128, 28}, {256, 14}, {512, 7}})
            for (std::int64_t kernel : {1, 3})
                list.push_back(convolution(batch, channels, size, kernel));
    for (const auto& [channels, filters, size, kernel, stride] : {std::tuple{64, 64, 56, 1, 1},
                                                                  {64, 256, 56, 1, 1},
                                                                  {256, 64, 56, 1, 1},
                                                                  {256, 128, 56, 1, 1},
                                                                  {128, 128, 28, 3, 2},
                                                                  {128, 512, 28, 1, 1},
                                                                  {256, 512, 28, 1, 2},
                                                                  {512, 128, 28, 1, 1},
                                                                  {512, 256, 28, 1, 1},
                                                                  {256, 256, 14, 3, 2},
                                                                  {256, 1024, 14, 1, 1},
                                                                  {512, 1024, 14, 1, 2},
                                                                  {1024, 256, 14, 1, 1},
                                                                  {1024, 512, 14, 1, 1},
                                                                  {512, 512, 7, 3, 2},
                                                                  {512, 2048, 7, 1, 1},
                                                                  {1024, 2048, 7, 1, 2},
                                                                  {2048, 512, 7, 1, 1}})
        list.push_back(layer(channels, filters, size, kernel, stride));
    list.insert(list.end(), {block_product(1, 4096, 4096), block_product(128, 4096, 4096),
                             byte_convolution(64, 56, 3), byte_convolution(256, 14, 1),
                             lstm(64, 1, 512), lstm(64, 16, 512)});
    return list;
}

class KernelTimes : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("lapidary_times_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Lines of the tuning file behind its four of the head, after a run. `overlaps`: kernels do,
    /// as in models of such elements.
    std::vector<std::string> measured(const Job& job, bool overlaps) const {
        const fs::path file = folder_ / "times.tuning";
        fs::remove(file);
        std::optional<ChannelsLastAtAnyCost> at_any_cost;
        if (job.channels_last) at_any_cost.emplace();
        Model model = model_of(job.graph, job.kind == "attention" ? 23 : 17);
        infer_types(model);
        std::map<std::string, std::string> options{
            {"graphs", "off"}, {"take_all", "on"}, {"precision", job.precision}};
        if (job.spanned.empty()) {
            options["tune"] = "on";
            options["tune_file"] = file.string();
        }
        SessionOptions session_options;
        session_options.providers.push_back(open(options, overlaps));
        Session session = Session::compile(std::make_shared<const Model>(model), session_options);
        std::vector<std::string> lines;
        if (!job.spanned.empty()) {
            RunOptions runs;
            runs.profile = true;
            runs.repetitions = 20;
            lines.push_back(shortest(
                *session.run(generate_inputs(model, {}, {.seed = 1}), runs).profile, job.spanned));
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
    /// "product 1/1 own 12.5", as files of tuning have it: the span of the first kernel on the
    /// device.
    static std::string shortest(const Profile& profile, const std::string& op) {
        double least = 0;
        for (const Span& span : profile.kernels) {
            const SpanText text = profile.text(span);
            if (text.op.find(op) == std::string::npos || text.provider != name_of_provider())
                continue;
            const double took = static_cast<double>(span.end_ns - span.begin_ns) / 1e3;
            least = least == 0 ? took : std::min(least, took);
        }
        EXPECT_GT(least, 0) << "no span of " << op;
        return "product 1/1 own " + std::to_string(least);
    }
    /// A provider each, whose table is empty.
    static std::shared_ptr<const Provider> open(std::map<std::string, std::string> options,
                                                bool overlaps) {
        static int number = 0;
        auto on_hopper = options;
        on_hopper["hopper"] = "on";
        on_hopper["overlap"] = overlaps ? "on" : "off";
        if (!is_on_gpu()) on_hopper["order"] = std::to_string(1000 + number++);
        if (!is_on_gpu()) return new_provider(on_hopper);
        try {
            return new_provider(on_hopper);
        } catch (const Error&) {  // another compute capability
            return new_provider(options);
        }
    }
    fs::path folder_;
};

/// What is left of a line: {"own": 12.5, "library": 13}
std::string times_of(std::istringstream& words) {
    std::string way, text;
    double microseconds = 0;
    while (words >> way >> microseconds) {
        std::ostringstream one;
        one << (text.empty() ? "" : ", ") << "\"" << way << "\": " << microseconds;
        text += one.str();
    }
    return "{" + text + "}";
}

/// {"kind": ..., "name": ..., "weights": "43/43", "gflop": ..., "mbytes": ..., "us": {"own": 12.5,
/// ...}}: copies of weights that were read in turn and so many that exceed the device's cache; the
/// way that is taken comes first. Of products also "us_apart", where no kernels overlap: the line
/// `apart`, or empty.
std::string json_of(const Job& job, const std::string& line, const std::string& apart) {
    std::istringstream words(line);
    std::string key, copies;
    words >> key >> copies;
    std::ostringstream out;
    out << "{\"kind\": \"" << job.kind << "\", \"name\": \"" << job.name << "\", \"key\": \"" << key
        << "\", \"weights\": \"" << copies << "\", \"gflop\": " << job.operations / 1e9
        << ", \"mbytes\": " << job.bytes / 1e6 << ", \"rows\": " << job.rows
        << ", \"us\": " << times_of(words);
    if (!apart.empty()) {
        std::istringstream more(apart);
        more >> key >> copies;
        out << ", \"us_apart\": " << times_of(more);
    }
    out << "}";
    return out.str();
}

TEST_F(KernelTimes, AreMeasuredByWay) {
    const char* const file = std::getenv("LAPIDARY_CUDA_TIMES");
    const bool is_large = file && is_on_gpu();
    std::ofstream out;
    if (file) out.open(file);
    for (const Job& job : jobs(is_large)) {
        const bool has_apart = job.kind.starts_with("product") && job.spanned.empty();
        std::vector<std::string> lines, apart;
        try {
            lines = measured(job, true);
            if (has_apart) apart = measured(job, false);
        } catch (const Error& error) {
            ADD_FAILURE() << job.name << ": " << error.what();
            continue;
        }
        ASSERT_FALSE(lines.empty()) << job.name;
        ASSERT_EQ(apart.empty(), !has_apart) << job.name;
        const std::string text = json_of(job, lines.front(), has_apart ? apart.front() : "");
        EXPECT_NE(text.find("\"own\": "), std::string::npos) << text;
        std::cout << text << "\n";
        if (file) out << text << std::endl;
    }
}

}  // namespace
}  // namespace lapidary::test

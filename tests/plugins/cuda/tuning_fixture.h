// SPDX-License-Identifier: Apache-2.0
// Sessions of the emulated device that are tuned, with a library that stands in for cuBLASLt, and
// the file that keeps what was measured.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/profile/profile.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {

/// A model with the types of all its values, from the text of its graph.
inline ModelPtr model_of_text(const char* graph) {
    Model model = model_of(graph);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

class Tuning : public testing::Test {
protected:
    using Options = std::map<std::string, std::string>;

    void SetUp() override {
        if (is_on_gpu()) GTEST_SKIP() << "the library that stands in is for the emulated device";
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("lapidary_tuning_" + std::to_string(::getpid()) + "_" + test->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        ::unsetenv("LAPIDARY_FAKE_CUBLASLT_DELAY_US");
        std::filesystem::remove_all(folder_);
    }
    std::filesystem::path file() const { return folder_ / "below" / "products.tuning"; }
    Session session_of(const ModelPtr& model, Options more) const {
        Options all{
            {"tune", "on"}, {"tune_file", file().string()}, {"cublaslt", LAPIDARY_FAKE_CUBLASLT}};
        for (const auto& [key, value] : more) all[key] = value;
        SessionOptions options;
        options.providers.push_back(emulated_provider(all));
        options.session_passes.set = SessionPasses::Set::all;
        return Session::compile(model, options);
    }
    static std::string note_of(Session& session, const NamedValues& inputs) {
        RunOptions options;
        options.profile = true;
        return session.run(inputs, options).profile->note;
    }
    std::string text() const {
        std::ifstream in(file());
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }
    void write(const std::string& text) const {
        std::filesystem::create_directories(file().parent_path());
        std::ofstream(file()) << text;
    }
    /// Moves `way` to the front, as the one to take, in the first line whose key begins with `key`.
    void let_take(const std::string& key, const std::string& way) const {
        std::vector<std::string> words = line(key);
        const auto found = std::ranges::find(words, way);
        ASSERT_NE(found, words.end()) << way << " is no way of " << key << " in\n" << text();
        std::swap_ranges(found, found + 2, words.begin() + 2);
        std::string joined, all = text();
        for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
        const std::size_t at = all.find("\n" + key) + 1;
        write(all.replace(at, all.find('\n', at) - at, joined));
    }
    /// What opening a provider with these options says.
    std::string refusal(const Options& options) const {
        try {
            session_of(model_of_text("(x: f32[2,3]) -> (y)\ny = Relu(x)"), options);
            return "it was opened";
        } catch (const Error& error) { return error.what(); }
    }
    /// A function or variable of the library that stands in for cuBLASLt.
    static void* of_library(const char* name) {
        void* const library = ::dlopen(LAPIDARY_FAKE_CUBLASLT, RTLD_NOW | RTLD_NOLOAD);
        return library ? ::dlsym(library, name) : nullptr;
    }
    /// Products that the library has computed so far.
    static int products() {
        const auto* const count = static_cast<int*>(of_library("lapidary_fake_cublaslt_products"));
        return count ? *count : 0;
    }
    /// The number of addresses from which the library read second operands since the last call.
    static std::size_t operands() {
        auto* const seen =
            static_cast<std::set<const void*>*>(of_library("lapidary_fake_cublaslt_operands"));
        const std::size_t count = seen ? seen->size() : 0;
        if (seen) seen->clear();
        return count;
    }
    /// The emulated device refuses blocks of more bytes.
    static void limit_blocks(std::uint64_t bytes) {
        void* const plugin = ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
        void* const limit = plugin ? ::dlsym(plugin, "lapidary_emulated_largest_block") : nullptr;
        ASSERT_NE(limit, nullptr);
        reinterpret_cast<void (*)(std::uint64_t)>(limit)(bytes);
    }
    /// Words of the first line whose key begins with `key`; empty: there is none.
    std::vector<std::string> line(const std::string& key) const {
        const std::string all = text();
        const std::size_t at = all.find("\n" + key);
        if (at == std::string::npos) return {};
        std::istringstream in(all.substr(at + 1, all.find('\n', at + 1) - at - 1));
        return {std::istream_iterator<std::string>(in), {}};
    }
    static void expect_right(Session& session, const ModelPtr& model,
                             const Tolerance& tolerance = exact_arithmetic) {
        Session reference = Session::compile(model, reference_options());
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {  // they are replayed from the third on
            const NamedValues inputs = generate_inputs(*model, {}, {.seed = seed});
            const NamedValues expected = reference.run(inputs).outputs;
            for (const OutputComparison& o :
                 compare_outputs(session.run(inputs).outputs, expected, tolerance))
                EXPECT_TRUE(o.comparison.matches) << "seed " << seed << ": " << o.comparison.reason;
        }
    }

private:
    std::filesystem::path folder_;
};

/// A product with an epilogue. The emulated device needs many steps for what tensor cores do in
/// one, so the library that stands in is faster by far, however busy the machine is.
inline const char* const epilogue =
    "(a: f32[70,640], r: f32[70,70]) -> (y)\np = MatMul(a, w: f32[640,70])\nq = Add(p, c: "
    "f32[70])\ns = Add(q, r)\n"
    "y = Relu(s)";
inline constexpr Tolerance of_tf32{1e-2, 1e-3, true};

}  // namespace lapidary::test

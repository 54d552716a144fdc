// SPDX-License-Identifier: Apache-2.0
// The packaged onnx library as a second opinion: its checker and its shape inference accept
// exported and quantized files. It runs in a separate process (tests/onnx_judge).
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/inputs/samples.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

struct Opinion {
    std::string ended;  // how the process ended, where not by itself
    std::string checker, shapes;

    /// The checker accepted the file and shape inference ended the process by a signal, as that of
    /// version 1.12 does on some valid files: no opinion of the file.
    bool has_crashed_inferring() const {
        return checker == "fine" && shapes.empty() && ended.starts_with("ended by signal");
    }
    /// Why the file is refused; empty: it is not.
    std::string refusal() const {
        if (has_crashed_inferring()) return "";
        if (!ended.empty()) return ended;
        if (checker != "fine") return "checker: " + checker;
        return shapes == "fine" ? "" : "shape inference: " + shapes;
    }
};

/// What a program prints, and how it ended: empty where it returned 0.
std::pair<std::string, std::string> output_of(const std::string& program,
                                              const std::string& arguments) {
    std::FILE* const pipe = ::popen(("exec '" + program + "' " + arguments + " 2>&1").c_str(), "r");
    if (!pipe) return {"", "not started"};
    std::string text;
    char part[4096];
    for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
    const int status = ::pclose(pipe);
    if (WIFSIGNALED(status)) return {text, "ended by signal " + std::to_string(WTERMSIG(status))};
    if (WEXITSTATUS(status) != 0)
        return {text, "ended with " + std::to_string(WEXITSTATUS(status)) + ": " + text};
    return {text, ""};
}

/// `most_seconds`: of processor time; empty: a minute.
Opinion opinion_of(const fs::path& file, const std::string& most_seconds = "") {
    const auto [text, ended] =
        output_of(LAPIDARY_ONNX_JUDGE, "'" + file.string() + "' " + most_seconds);
    Opinion opinion;
    opinion.ended = ended;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) continue;
        if (line.substr(0, tab) == "checker") opinion.checker = line.substr(tab + 1);
        if (line.substr(0, tab) == "shapes") opinion.shapes = line.substr(tab + 1);
    }
    return opinion;
}

class OnnxOpinion : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::string(LAPIDARY_ONNX_JUDGE).empty())
            GTEST_SKIP() << "libonnx-dev was not there when the tests were configured";
    }

    void expect_accepted(const Model& model, const std::string& what) {
        SCOPED_TRACE(what);
        const fs::path file = folder_ / "file.onnx";
        save_model(model, file);
        const Opinion opinion = opinion_of(file);
        EXPECT_EQ(opinion.refusal(), "");
        if (opinion.has_crashed_inferring())
            std::cout << "[ crashed  ] " << what << ": " << opinion.ended << std::endl;
        ++files_;
    }

    /// All exports of a model, which the library accepts as it is.
    void export_all(const Model& model, const std::vector<Level>& levels) {
        for (const ExportTarget target : {ExportTarget::portable, ExportTarget::plain})
            for (const Level level : levels) {
                ExportOptions options;
                options.target = target;
                options.optimize.level = level;
                const std::string what =
                    std::string(info_of(target).name) + ", " + std::string(name_of(level));
                try {
                    expect_accepted(export_model(model, options).model, what);
                } catch (const Error& error) {
                    if (error.code() != ErrorCode::not_supported) throw;
                    std::cout << "[ no export] " << what << ": " << error.what() << '\n';
                }
            }
    }

    void print_count(const std::string& name) const {
        std::cout << "[ judged   ] " << name << ": " << files_ << " files" << std::endl;
    }

    TemporaryFolder folder_;
    std::size_t files_ = 0;
};

constexpr std::int64_t newest_opset = 17;  // of Debian 12's libonnx

class OnnxOpinionOfSamples : public OnnxOpinion,
                             public ::testing::WithParamInterface<std::string> {};

TEST_P(OnnxOpinionOfSamples, AcceptsEveryExport) {
    const Model model = build_sample(GetParam());
    if (model.opset() > newest_opset)
        GTEST_SKIP() << "the packaged library knows opset " << newest_opset << ", the sample is of "
                     << model.opset();
    expect_accepted(model, "the sample itself");
    // Hundreds of megabytes: once for each target.
    const bool is_large = constant_bytes(model) > (std::uint64_t{100} << 20);
    export_all(model, is_large ? std::vector{Level::all}
                               : std::vector{Level::basic, Level::extended, Level::all});
    print_count(GetParam());
}

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const SampleInfo& sample : list_samples())
        if (sample.name != "llama-1b")  // as llama-160m, and 4 GB
            names.emplace_back(sample.name);
    return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace_if(
        name, [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, OnnxOpinionOfSamples, ::testing::ValuesIn(sample_names()), test_name);

TEST_F(OnnxOpinion, AcceptsQuantizedSamples) {
    for (const char* const name : {"lenet", "squeezenet", "bert-tiny", "lstm"}) {
        const auto model = std::make_shared<const Model>(build_sample(name));
        const auto samples = generated_samples(model, 2, 1);
        for (const QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq,
                                        QuantizeMode::weights, QuantizeMode::half}) {
            QuantizeOptions options;
            options.mode = mode;
            expect_accepted(quantize_model(*model, options, samples.get()).model,
                            std::string(name) + ", " + std::string(name_of(mode)));
        }
        const QuantizeOptions operators{.mode = QuantizeMode::static_qdq,
                                        .static_form = StaticForm::operators};
        expect_accepted(quantize_model(*model, operators, samples.get()).model,
                        std::string(name) + ", qoperator");
    }
    print_count("quantized samples");
}

class OnnxOpinionOfRealModels : public OnnxOpinion,
                                public ::testing::WithParamInterface<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OnnxOpinionOfRealModels);

std::vector<std::string> recorded_models() {
    std::vector<std::string> names;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(test_data() / "models" / "real", absent))
        if (entry.path().extension() == ".onnx") names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

TEST_P(OnnxOpinionOfRealModels, AcceptsEveryExportOfWhatItAccepts) {
    const fs::path file = test_data() / "models" / "real" / (GetParam() + ".onnx");
    if (const std::string refusal = opinion_of(file).refusal(); !refusal.empty())
        GTEST_SKIP() << "it refuses the original: " << refusal.substr(0, 300);
    const Model model = load_model(file);
    export_all(model, {Level::extended, Level::all});
    print_count(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Recorded, OnnxOpinionOfRealModels, ::testing::ValuesIn(recorded_models()),
                         test_name);

/// Some damaged files crash the library, which is reported as a crash.
TEST_F(OnnxOpinion, OfDamagedFilesMayEndByASignal) {
    const auto [text, ended] = output_of("/bin/sh", "-c 'kill -SEGV $$'");
    EXPECT_EQ(ended, "ended by signal 11");
    const fs::path generator = test_data() / "malformed" / "gen_malformed.py";
    if (!fs::exists(generator)) GTEST_SKIP() << "no " << generator;
    const std::string make = "/usr/bin/python3 -W ignore '" +
                             (fixtures_folder() / "malformed_twins.py").string() + "' '" +
                             generator.string() + "' '" + (folder_ / "files").string() + "' >'" +
                             (folder_ / "log").string() + "' 2>&1";
    if (std::system(make.c_str()) != 0) GTEST_SKIP() << "python3 lacks onnx or numpy";
    std::map<std::string, int> ends;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "files"))
        if (entry.path().extension() == ".onnx") {
            const Opinion opinion = opinion_of(entry.path(), "1");  // some would take minutes
            ++ends[opinion.ended.starts_with("ended by") ? opinion.ended
                   : opinion.refusal().empty()           ? "accepted"
                                                         : "refused"];
        }
    for (const auto& [end, files] : ends)
        std::cout << "[ damaged  ] " << files << " files " << end << '\n';
    EXPECT_FALSE(ends.empty());
}

}  // namespace
}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// The jobs that look for a first difference and that check a recording: in this process, in a
// worker, cancelled, and what they refuse.
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"
#include "worker/jobs/proof/diverge_job.h"
#include "worker/jobs/proof/recording_job.h"
#include "worker/process/worker_engine.h"

namespace lapidary::app {
namespace {

class DifferenceJobs : public testing::Test {
protected:
    DifferenceJobs() : good_(save("good.onnx", "2.0")), bad_(save("bad.onnx", "2.5")) {}

    ModelSource save(const std::string& name, const std::string& weight) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(
            "(x: f32[2]) -> (y)\n"
            "h = Add(x, one: f32[1]{1.0}) as \"/shift/Add\"\n"
            "s = Mul(h, by: f32[2]{1.0, " +
            weight +
            "}) as \"/scale/Mul\"\n"
            "y = Neg(s) as \"/scale/Neg\"");
        ModelSource source;
        source.file = folder_ / name;
        save_model(model, source.file);
        source.model = std::make_shared<const Model>(load_model(source.file));
        source.file_bytes = std::filesystem::file_size(source.file);
        source.file_modified =
            std::filesystem::last_write_time(source.file).time_since_epoch().count();
        return source;
    }

    /// Of the good model, as record.py writes it.
    std::filesystem::path record() const {
        const std::string index =
            R"({"format": "lapidary recording", "version": 1, "framework": "torch 2.6",)"
            R"("model": "net.Net", "inputs": [{"name": "x", "shape": [2], "dtype": "float32",)"
            R"("stride": 1, "array": "a0"}], "outputs": [{"name": "y", "shape": [2],)"
            R"("dtype": "float32", "stride": 1, "array": "a2"}], "modules": [{"path": "shift",)"
            R"("class": "torch.nn.Shift", "call": 0, "line": "net.py:7", "outputs": [{"name": "",)"
            R"("shape": [2], "dtype": "float32", "stride": 1, "array": "a1"}]},)"
            R"({"path": "scale", "class": "torch.nn.Scale", "call": 0, "line": "net.py:8",)"
            R"("outputs": [{"name": "", "shape": [2], "dtype": "float32", "stride": 1,)"
            R"("array": "a2"}]}]})";
        const std::filesystem::path path = folder_ / "run.npz";
        const auto floats = [](float first, float second) {
            return Tensor::of(Shape{2}, std::vector<float>{first, second});
        };
        save_npz(path,
                 {{"index", Tensor::of(Shape{static_cast<std::int64_t>(index.size())},
                                       std::vector<std::uint8_t>(index.begin(), index.end()))},
                  {"a0", floats(3, -4)},
                  {"a1", floats(4, -3)},
                  {"a2", floats(-4, 6)}});
        return path;
    }

    std::unique_ptr<WorkerEngine> worker() const {
        WorkerOptions options;
        options.command = {cli_program(), "serve"};
        return std::make_unique<WorkerEngine>(options);
    }

    const TemporaryFolder folder_;
    const ModelSource good_, bad_;
};

TEST_F(DifferenceJobs, AWorkerFindsWhatThisProcessFinds) {
    const DivergeJob job{good_, bad_, RunSettings(), {}};
    const FoundDifference here = LocalEngine().call(job, {});
    const FoundDifference there = worker()->call(job, {});
    for (const FoundDifference* found : {&here, &there}) {
        ASSERT_EQ(found->divergence.verdict, DivergenceVerdict::differs);
        ASSERT_EQ(found->divergence.causes.size(), 1u);
        EXPECT_EQ(found->divergence.causes[0].node_b, "/scale/Mul");
        EXPECT_EQ(found->divergence.causes[0].source_b.module_text(), "scale");
        ASSERT_EQ(found->divergence.values.size(), 3u);
        EXPECT_GT(found->divergence.values[1].relative, 0);
        EXPECT_TRUE(found->divergence.values[1].alone.has_value());
        EXPECT_EQ(found->divergence.first_beyond, 1u);
    }
    ASSERT_EQ(here.lines.size(), there.lines.size());
    for (std::size_t i = 0; i < here.lines.size(); ++i) {
        EXPECT_EQ(here.lines[i].title, there.lines[i].title);
        EXPECT_EQ(here.lines[i].text, there.lines[i].text);
    }
}

TEST_F(DifferenceJobs, TwoLevelsOfOneFileAreTheSame) {
    const FoundDifference found =
        LocalEngine().call(DivergeJob{good_, good_, RunSettings(), "y"}, {});
    EXPECT_EQ(found.divergence.verdict, DivergenceVerdict::same);
    EXPECT_EQ(found.lines.front().title, "SAME");
}

TEST_F(DifferenceJobs, ACancelEndsTheSearch) {
    for (const std::string_view stage : {"run both", "judge each node"}) {
        Progress progress;
        bool was_there = false;
        progress.report = [&, cancel = progress.cancel](std::string_view now, double) {
            if (now != stage) return;
            was_there = true;
            cancel.cancel();
        };
        try {
            LocalEngine().call(DivergeJob{good_, bad_, RunSettings(), {}}, progress);
            ADD_FAILURE() << "it was not cancelled in " << stage;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
        }
        EXPECT_TRUE(was_there) << stage;
    }
}

TEST_F(DifferenceJobs, AnOutputThatIsNotThereIsRefused) {
    try {
        worker()->call(DivergeJob{good_, bad_, RunSettings(), "z"}, {});
        ADD_FAILURE() << "it was not refused";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("no output \"z\""), std::string::npos)
            << error.what();
    }
}

TEST_F(DifferenceJobs, ARecordingNamesTheModule) {
    const std::filesystem::path recording = record();
    const CheckedRecording right = LocalEngine().call(RecordingJob{good_, recording, 1}, {});
    EXPECT_TRUE(right.agrees);
    EXPECT_TRUE(right.value.empty());
    const CheckedRecording wrong = worker()->call(RecordingJob{bad_, recording, 1}, {});
    EXPECT_FALSE(wrong.agrees);
    EXPECT_EQ(wrong.value, "y");
    ASSERT_EQ(wrong.outputs.size(), 1u);
    EXPECT_FALSE(wrong.outputs[0].comparison.matches);
    bool is_named = false;
    for (const FoundLine& line : wrong.lines)
        is_named = is_named || (line.title == "first" && line.text.starts_with("scale (Scale)"));
    EXPECT_TRUE(is_named);
    EXPECT_THROW(LocalEngine().call(RecordingJob{good_, good_.file, 1}, {}), Error)
        << "no recording";
}

TEST_F(DifferenceJobs, AnArchiveOfNamedValuesIsARecording) {
    const auto floats = [](float first, float second) {
        return Tensor::of(Shape{2}, std::vector<float>{first, second});
    };
    const std::filesystem::path dump = folder_ / "dump.npz";
    save_npz(dump, {{"x", floats(3, -4)}, {"h", floats(4, -3)}, {"s", floats(4, -6)}});
    const CheckedRecording found = LocalEngine().call(RecordingJob{bad_, dump, 1}, {});
    EXPECT_EQ(found.value, "s");
    EXPECT_FALSE(found.agrees) << "no output was recorded";
    EXPECT_TRUE(found.outputs.empty());
}

}  // namespace
}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// Compensated rounding that was stopped goes on where it was, with the same result.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/quantize/resumed_quantization.h>
#include <lapidary/tensor/tensor_file.h>

#include "quantize/quantized_models.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t files_in(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator first(folder, error);
    return error ? 0 : std::distance(begin(first), end(first));
}

std::vector<fs::path> weights_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".npz") files.push_back(entry.path());
    return files;
}

class ResumedQuantization : public ::testing::Test {
protected:
    /// Bytes of the model's file.
    std::string made(const QuantizeOptions& options, bool resumes = true) {
        const QuantizeResult result =
            resumes ? resume_quantization(model_, options, samples_.get(), kept_)
                    : quantize_model(model_, options, samples_.get());
        notes_ = result.notes;
        save_model(result.model, folder_ / "q.onnx");
        std::ifstream in(folder_ / "q.onnx", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    bool says(const std::string& words) const {
        return std::ranges::any_of(
            notes_, [&](const std::string& note) { return note.find(words) != std::string::npos; });
    }
    bool says_resumed(const std::string& count) const {
        return says("was stopped had done " + count);
    }
    /// Runs until one weight is kept.
    void stop_after_one(const QuantizeOptions& options) {
        const CancelToken cancel;
        const Progress progress{cancel, [&](std::string_view, double) {
                                    if (!weights_in(kept_).empty()) cancel.cancel();
                                }};
        EXPECT_THROW(resume_quantization(model_, options, samples_.get(), kept_, progress), Error);
        ASSERT_EQ(weights_in(kept_).size(), 1) << "cancelling keeps what is done";
    }
    static QuantizeOptions options() {
        return {.mode = QuantizeMode::weights,
                .weight_bits = 4,
                .block = 16,
                .compensated_rounding = true};
    }

    const Model model_ = model_of(
        "(x: f32[n,32]) -> (y)\na = MatMul(x, w1: f32[32,48])\nb = Tanh(a)\nc = MatMul(b, w2: "
        "f32[48,32])\nd = Tanh(c)\ny = MatMul(d, w3: f32[32,16])");
    const SampleSourcePtr samples_ = samples_for(model_, 12);
    TemporaryFolder folder_;
    const fs::path kept_ = kept_weights_folder(folder_ / "q.onnx");
    std::vector<std::string> notes_;
};

TEST_F(ResumedQuantization, HasTheBytesOfOneThatWasNotStopped) {
    for (const bool is_fitted : {false, true})
        for (const bool is_symmetric : {false, true}) {
            QuantizeOptions with = options();
            with.fitted_blocks = is_fitted;
            with.symmetric_blocks = is_symmetric;
            const std::string whole = made(with, false);
            stop_after_one(with);
            EXPECT_EQ(made(with), whole) << is_fitted << is_symmetric;
            EXPECT_TRUE(says_resumed("1 of these")) << is_fitted << is_symmetric;
            EXPECT_EQ(weights_in(kept_).size(), 3) << "they stay until the model is written";
            EXPECT_EQ(made(with), whole);
            EXPECT_TRUE(says_resumed("3 of these"));
            remove_kept_weights(kept_);
            EXPECT_FALSE(fs::exists(kept_));
        }
}

TEST_F(ResumedQuantization, TakesNothingThatWasMadeOtherwise) {
    stop_after_one(options());
    QuantizeOptions wider = options();
    wider.block = 32;
    const std::string whole = made(wider, false);
    EXPECT_EQ(made(wider), whole);
    EXPECT_FALSE(says_resumed("")) << "of another block";
}

TEST_F(ResumedQuantization, MakesDamagedWeightsAgainAndLeavesOtherFiles) {
    const std::string whole = made(options(), false);
    stop_after_one(options());
    const fs::path file = weights_in(kept_).front();
    fs::resize_file(file, fs::file_size(file) / 2);
    std::ofstream(kept_ / "mine.txt") << "kept";
    EXPECT_EQ(made(options()), whole);
    EXPECT_FALSE(says_resumed(""));
    remove_kept_weights(kept_);
    EXPECT_EQ(files_in(kept_), 1) << "a file that is not ours";
    remove_kept_weights(folder_ / "none");
}

TEST_F(ResumedQuantization, MakesWeightsOfAnotherChecksumAgain) {
    const std::string whole = made(options(), false);
    stop_after_one(options());
    const fs::path file = weights_in(kept_).front();
    NamedValues values = load_npz(file);
    for (auto& [name, value] : values) {
        Tensor changed = value.tensor().clone();
        static_cast<unsigned char*>(changed.mutable_raw())[0] ^= 1;
        value = changed;
    }
    save_npz(file, values);
    EXPECT_EQ(made(options()), whole);
    EXPECT_FALSE(says_resumed(""));
    EXPECT_EQ(made(options()), whole);
    EXPECT_TRUE(says_resumed("3 of these")) << "it is kept anew";
}

TEST_F(ResumedQuantization, LeavesWhatElseHasTheNameOfItsFolder) {
    const std::string whole = made(options(), false);
    const fs::path other = folder_ / "other";
    const auto expect_left = [&] {
        EXPECT_EQ(made(options()), whole);
        EXPECT_TRUE(says("no weights were kept"));
        remove_kept_weights(kept_);
    };
    std::ofstream(kept_) << "precious";
    expect_left();
    EXPECT_EQ(fs::file_size(kept_), 8) << "a file";
    fs::remove(kept_);
    fs::create_directory(kept_);
    expect_left();
    EXPECT_TRUE(fs::is_directory(kept_)) << "an empty folder";
    fs::remove(kept_);
    stop_after_one(options());
    fs::rename(kept_, other);
    fs::create_directory_symlink(other, kept_);
    expect_left();
    EXPECT_TRUE(fs::is_symlink(kept_));
    EXPECT_EQ(weights_in(other).size(), 1) << "behind a link";
}

TEST_F(ResumedQuantization, WritesNothingWhereNothingTakesLong) {
    QuantizeOptions plain = options();
    plain.compensated_rounding = false;
    EXPECT_EQ(made(plain), made(plain, false));
    EXPECT_FALSE(fs::exists(kept_));
}

}  // namespace
}  // namespace lapidary

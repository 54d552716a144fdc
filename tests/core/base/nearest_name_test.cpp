// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/nearest_name.h>

#include <gtest/gtest.h>

namespace lapidary {
namespace {

const std::vector<std::string> commands{"optimize", "profile", "run", "sample", "sweep"};

TEST(NearestName, CountsChangesAndExchangesOfLetters) {
    EXPECT_EQ(did_you_mean("optimise", commands), "; did you mean \"optimize\"?");
    EXPECT_EQ(did_you_mean("porfile", commands), "; did you mean \"profile\"?");
    EXPECT_EQ(did_you_mean("RUN", commands), "; did you mean \"run\"?");
    EXPECT_EQ(did_you_mean("sampel", commands), "; did you mean \"sample\"?");
    EXPECT_EQ(nearest_names("swep", commands, 1), std::vector<std::string>{"sweep"});
    EXPECT_EQ(nearest_names("x", commands).size(), 3u);
}

TEST(NearestName, AWordMayBeMissing) {
    const std::vector<std::string> passes{"fuse_batch_norm_conv", "fuse_conv_batch_norm",
                                          "fuse_layer_norm", "fuse_pad_batch_norm"};
    EXPECT_EQ(did_you_mean("fuse_batch_norm", passes),
              "; did you mean \"fuse_pad_batch_norm\", \"fuse_batch_norm_conv\" or "
              "\"fuse_conv_batch_norm\"?");
    EXPECT_EQ(did_you_mean("fuse_layer_nrom", passes), "; did you mean \"fuse_layer_norm\"?");
    EXPECT_EQ(did_you_mean("fuse", passes), "");
}

TEST(NearestName, MeansNothingWhereNothingIsNear) {
    EXPECT_EQ(did_you_mean("frobnicate", commands), "");
    EXPECT_EQ(did_you_mean("", commands), "");
    EXPECT_EQ(did_you_mean("m", {"n"}), "") << "another letter is another name";
    EXPECT_EQ(did_you_mean("optimize", {}), "");
    EXPECT_EQ(did_you_mean(std::string(1 << 20, 'o'), commands), "");
}

}  // namespace
}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Window geometry against sizes worked out from the specification's formulas.
#include <gtest/gtest.h>

#include <limits>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph.h>

#include "ops/geometry/window.h"

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;

Node node_with(std::vector<std::pair<std::string, AttributeValue>> attributes) {
    Node node;
    node.op_type = "Conv";
    for (auto& [name, value] : attributes)
        node.attributes.push_back({name, std::move(value), "", ""});
    return node;
}

WindowAxis one_axis(std::vector<std::pair<std::string, AttributeValue>> attributes,
                    std::int64_t input, std::int64_t kernel) {
    return window_axis(read_window_attributes(node_with(std::move(attributes)), 1), 0, input,
                       kernel);
}

WindowAxis transposed(std::vector<std::pair<std::string, AttributeValue>> attributes,
                      std::int64_t input, std::int64_t kernel) {
    return transposed_window_axis(read_window_attributes(node_with(std::move(attributes)), 1), 0,
                                  input, kernel);
}

TEST(WindowGeometry, CountsPositions) {
    EXPECT_EQ(one_axis({}, 7, 3).output, 5);
    EXPECT_EQ(one_axis({{"strides", Ints{2}}}, 7, 3).output, 3);
    EXPECT_EQ(one_axis({{"strides", Ints{2}}, {"pads", Ints{1, 1}}}, 224, 3).output, 112);
    EXPECT_EQ(one_axis({{"dilations", Ints{2}}}, 7, 3).output, 3);
    EXPECT_EQ(one_axis({}, 0, 3).output, 0);
    EXPECT_EQ(one_axis({{"pads", Ints{2, 2}}}, 0, 3).output, 2);
}

TEST(WindowGeometry, RoundsUpWithoutWindowsInTheEndPadding) {
    EXPECT_EQ(one_axis({{"strides", Ints{2}}, {"ceil_mode", std::int64_t(1)}}, 4, 3).output, 2);
    // A second window would fit, but start beyond the input and its begin padding.
    EXPECT_EQ(
        one_axis({{"strides", Ints{3}}, {"ceil_mode", std::int64_t(1)}, {"pads", Ints{0, 1}}}, 3, 1)
            .output,
        1);
}

TEST(WindowGeometry, PadsAutomatically) {
    const WindowAxis upper =
        one_axis({{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2}}}, 6, 3);
    EXPECT_EQ(upper.output, 3);
    EXPECT_EQ(upper.pad_begin, 0);
    EXPECT_EQ(upper.pad_end, 1);
    const WindowAxis lower =
        one_axis({{"auto_pad", std::string("SAME_LOWER")}, {"strides", Ints{2}}}, 6, 3);
    EXPECT_EQ(lower.pad_begin, 1);
    EXPECT_EQ(lower.pad_end, 0);
    EXPECT_EQ(one_axis({{"auto_pad", std::string("VALID")}}, 6, 3).output, 4);
}

TEST(WindowGeometry, InvertsForTransposedConvolution) {
    EXPECT_EQ(transposed({{"strides", Ints{2}}}, 3, 3).output, 7);
    EXPECT_EQ(
        transposed({{"strides", Ints{2}}, {"pads", Ints{1, 1}}, {"output_padding", Ints{1}}}, 3, 3)
            .output,
        6);
    const WindowAxis given = transposed({{"strides", Ints{2}}, {"output_shape", Ints{6}}}, 3, 3);
    EXPECT_EQ(given.output, 6);
    EXPECT_EQ(given.pad_begin, 1);  // the odd element goes first unless SAME_UPPER
    EXPECT_EQ(given.pad_end, 0);
    EXPECT_EQ(
        transposed({{"strides", Ints{3}}, {"auto_pad", std::string("SAME_UPPER")}}, 4, 5).output,
        12);
}

void expect_refused(std::vector<std::pair<std::string, AttributeValue>> attributes,
                    const std::string& part, std::int64_t input = 8, std::int64_t kernel = 3) {
    try {
        one_axis(std::move(attributes), input, kernel);
        ADD_FAILURE() << "accepted; expected a message with " << part;
    } catch (const Error& error) {
        EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
    }
}

TEST(WindowGeometry, RefusesHostileAttributes) {
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    expect_refused({{"strides", Ints{0}}}, "strides[0]");
    expect_refused({{"strides", Ints{-2}}}, "found -2");
    expect_refused({{"strides", Ints{1, 1}}}, "expected 1 entries, found 2");
    expect_refused({{"dilations", Ints{0}}}, "dilations");
    expect_refused({{"dilations", Ints{huge}}}, "the window spans");
    expect_refused({{"pads", Ints{-1, 0}}}, "pads[0]");
    expect_refused({{"pads", Ints{huge, huge}}}, "pads[0]: expected at most 2147483648");
    expect_refused({{"kernel_shape", Ints{0}}}, "kernel_shape");
    expect_refused({{"auto_pad", std::string("SAME")}}, "auto_pad");
    expect_refused({}, "spans 9 positions", 8, 9);
    EXPECT_THROW(transposed({{"strides", Ints{huge}}}, 3, 3), Error);
    EXPECT_THROW(transposed({{"pads", Ints{9, 9}}}, 3, 3), Error);
}

TEST(WindowGeometry, StridesThatAreNeverTakenDoNotMatter) {
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t stride :
         {std::int64_t{4}, std::int64_t{1} << 31, std::int64_t{1} << 62, huge}) {
        for (const char* pad : {"NOTSET", "VALID", "SAME_UPPER"}) {
            const WindowAxis a =
                one_axis({{"strides", Ints{stride}}, {"auto_pad", std::string(pad)}}, 4, 3);
            EXPECT_EQ(a.output, 1) << stride << pad;
            EXPECT_EQ(a.stride, 1) << stride << pad;
        }
        EXPECT_EQ(transposed({{"strides", Ints{stride}}}, 1, 3).output, 3) << stride;
    }
}

TEST(WindowGeometry, BoundsWhatWindowsReachOver) {
    for (const std::int64_t huge :
         {window_reach, std::int64_t{1} << 61, std::numeric_limits<std::int64_t>::max()}) {
        expect_refused({{"dilations", Ints{huge}}, {"auto_pad", std::string("SAME_LOWER")}},
                       "the limit is 2147483648");
        EXPECT_THROW(transposed({{"dilations", Ints{huge}}}, 3, 3), Error);
        EXPECT_THROW(transposed({{"strides", Ints{huge}}}, 3, 3), Error);
    }
}

}  // namespace
}  // namespace lapidary

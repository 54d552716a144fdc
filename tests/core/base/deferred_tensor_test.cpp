// SPDX-License-Identifier: Apache-2.0
// Tensors whose elements are made when they are first read.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "kernels/convolution/blocked_weight.h"
#include "support/kernel_harness.h"
#include "tensor/channel_blocks.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;

/// 0, 1, 2 ... in parts of four; `parts` counts those written.
Tensor counted(std::int64_t size, std::atomic<std::int64_t>& parts) {
    return Tensor::deferred(DType::f32, {size}, 16,
                            [&parts](std::byte* to, std::size_t begin, std::size_t end) {
                                parts += static_cast<std::int64_t>(end - begin);
                                for (std::size_t i = 0; i < (end - begin) * 4; ++i) {
                                    const auto value = static_cast<float>(begin * 4 + i);
                                    std::memcpy(to + i * 4, &value, 4);
                                }
                            },
                            {});
}

TEST(DeferredTensor, KnowsTheHalvesThatItWidens) {
    const Tensor half = Tensor::of<Half>({4}, {Half(1.0f), Half(2.0f), Half(3.0f), Half(4.0f)});
    const Tensor wide =
        Tensor::widened(half, [](std::byte* to, std::size_t begin, std::size_t end) {
            for (; begin < end; ++begin, to += 4) {
                const auto value = static_cast<float>(begin + 1);
                std::memcpy(to, &value, 4);
            }
        });
    EXPECT_EQ(wide.dtype(), DType::f32);
    EXPECT_EQ(wide.reshaped({2, 2}).widened_from().shape(), (Shape{2, 2}));
    EXPECT_EQ(wide.widened_from().identity(), half.identity());
    EXPECT_TRUE(wide.is_deferred());
    EXPECT_EQ(values_of<float>(wide), (F{1, 2, 3, 4}));
    EXPECT_EQ(wide.widened_from().identity(), half.identity()) << "after it was made, too";
    EXPECT_FALSE(half.widened_from());
    EXPECT_FALSE(wide.clone().widened_from());
    EXPECT_THROW(Tensor::widened(wide, {}), Error);
}

TEST(DeferredTensor, IsMadeOnceForAllItsCopies) {
    std::atomic<std::int64_t> parts{0};
    const Tensor tensor = counted(12, parts), copy = tensor, square = tensor.reshaped({3, 4});
    EXPECT_TRUE(tensor.is_deferred());
    EXPECT_EQ(tensor.byte_size(), 48u);
    EXPECT_EQ(tensor.identity(), square.identity());
    EXPECT_TRUE(same_contents(tensor, copy));
    EXPECT_EQ(parts, 0);
    const void* const identity = tensor.identity();

    std::vector<std::jthread> readers;
    for (int i = 0; i < 8; ++i)
        readers.emplace_back([&] {
            EXPECT_EQ(values_of<float>(square), (F{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
            float part[4];
            copy.read(32, 16, reinterpret_cast<std::byte*>(part));
            EXPECT_EQ(part[3], 11);
        });
    readers.clear();
    EXPECT_FALSE(copy.is_deferred());
    EXPECT_EQ(copy.raw(), square.raw());
    EXPECT_EQ(copy.bytes().data(), tensor.raw());
    EXPECT_EQ(tensor.identity(), identity);
    EXPECT_EQ(values_of<float>(tensor.clone()), values_of<float>(copy));
}

TEST(DeferredTensor, StaysDeferredWhileItIsReadInParts) {
    std::atomic<std::int64_t> parts{0};
    const Tensor tensor = counted(12, parts);
    F part(8);
    tensor.read(16, 32, reinterpret_cast<std::byte*>(part.data()));
    EXPECT_EQ(part, (F{4, 5, 6, 7, 8, 9, 10, 11}));
    float one = 0;
    tensor.read(28, 4, reinterpret_cast<std::byte*>(&one));
    EXPECT_EQ(one, 7);
    tensor.read(12, 28, reinterpret_cast<std::byte*>(part.data()));
    EXPECT_EQ(part, (F{3, 4, 5, 6, 7, 8, 9, 11}));
    EXPECT_TRUE(tensor.is_deferred());
    EXPECT_EQ(parts, 2 + 1 + 3);
    std::byte byte{};
    EXPECT_THROW(tensor.read(48, 16, &byte), Error);
    EXPECT_THROW(tensor.read(16, SIZE_MAX, &byte), Error);
}

TEST(DeferredTensor, IsMadeAgainAfterAnError) {
    bool fails = true;
    const Tensor tensor = Tensor::deferred(DType::u8, {4}, 2,
                                           [&](std::byte* to, std::size_t begin, std::size_t end) {
                                               if (fails) fail_input("not yet");
                                               std::memset(to, 7, (end - begin) * 2);
                                           },
                                           {});
    EXPECT_THROW(tensor.raw(), Error);
    EXPECT_TRUE(tensor.is_deferred());
    fails = false;
    EXPECT_EQ(tensor.data<std::uint8_t>()[3], 7);
}

TEST(DeferredTensor, ReleasesItsSourcesWhenItIsMade) {
    Tensor source = Tensor::of<float>({1}, {3});
    const std::weak_ptr<const void> storage = source.owner();
    const Tensor tensor = Tensor::deferred(
        DType::f32, {1}, 4,
        [source](std::byte* to, std::size_t, std::size_t) { std::memcpy(to, source.raw(), 4); },
        {source});
    source = {};
    EXPECT_FALSE(storage.expired());
    EXPECT_EQ(tensor.data<float>()[0], 3);
    EXPECT_TRUE(storage.expired());
}

TEST(DeferredTensor, RefusesPartsThatDoNotFillIt) {
    const auto nothing = [](std::byte*, std::size_t, std::size_t) {};
    EXPECT_THROW(Tensor::deferred(DType::f32, {3}, 8, nothing, {}), Error);
    EXPECT_THROW(Tensor::deferred(DType::f32, {3}, 0, nothing, {}), Error);
    EXPECT_THROW(Tensor::deferred(DType::string, {3}, 4, nothing, {}), Error);
}

TEST(DeferredTensor, OrdinaryOnesAreReadAnywhere) {
    const Tensor tensor = Tensor::of<float>({3}, {1, 2, 3});
    EXPECT_FALSE(tensor.is_deferred());
    EXPECT_EQ(tensor.identity(), tensor.raw());
    float value = 0;
    tensor.read(8, 4, reinterpret_cast<std::byte*>(&value));
    EXPECT_EQ(value, 3);
    tensor.read(12, 0, nullptr);
    EXPECT_THROW(tensor.read(9, 4, reinterpret_cast<std::byte*>(&value)), Error);
}

/// The definition of OIHWBiBo and OIHWBo, element by element.
F blocked_plainly(const Tensor& w, std::int64_t block, bool blocks_inputs) {
    const std::int64_t depth = blocks_inputs ? block : 1, taps = w.dim(2) * w.dim(3);
    F out;
    for (std::int64_t o = 0; o < w.dim(0); o += block)
        for (std::int64_t i = 0; i < w.dim(1); i += depth)
            for (std::int64_t tap = 0; tap < taps; ++tap)
                for (std::int64_t row = i; row < i + depth; ++row)
                    for (std::int64_t lane = o; lane < o + block; ++lane)
                        out.push_back(lane < w.dim(0) && row < w.dim(1)
                                          ? w.data<float>()[static_cast<std::size_t>(
                                                (lane * w.dim(1) + row) * taps + tap)]
                                          : 0.0f);
    return out;
}

TEST(BlockedWeight, EveryPartIsWhatTheLayoutSays) {
    for_each_isa([](Isa isa) {
        SCOPED_TRACE(std::string(name_of(isa)));
        for (const std::int64_t block : {4, 8, 16})
            for (const Shape& shape :
                 {Shape{32, 48, 1, 1}, Shape{32, 16, 3, 3}, Shape{16, 32, 1, 2},
                  Shape{17, 33, 3, 1}, Shape{5, 3, 7, 7}, Shape{40, 24, 1, 1}, Shape{48, 1, 5, 5}})
                for (const bool blocks_inputs : {true, false})
                    for (const std::size_t offset : {0u, 1u}) {
                        SCOPED_TRACE(to_string(shape) + " by " + std::to_string(block) +
                                     (blocks_inputs ? " both" : "") + " at " +
                                     std::to_string(offset));
                        Tensor plain(DType::f32, shape);
                        for (std::size_t i = 0; float& v : plain.mutable_data<float>())
                            v = static_cast<float>(++i);
                        std::vector<std::byte> bytes(plain.byte_size() + offset);
                        std::memcpy(bytes.data() + offset, plain.raw(), plain.byte_size());
                        const Tensor source =
                            offset == 0 ? plain
                                        : Tensor::borrow_unaligned(DType::f32, shape,
                                                                   bytes.data() + offset, nullptr);
                        const F expected = blocked_plainly(plain, block, blocks_inputs);
                        const Tensor weight = blocked_weight(source, block, blocks_inputs);
                        ASSERT_TRUE(weight.is_deferred());
                        const std::size_t part = static_cast<std::size_t>(
                            shape[2] * shape[3] * block * (blocks_inputs ? block : 1));
                        for (const std::size_t parts : {1u, 3u})
                            for (std::size_t begin = 0; begin < expected.size();
                                 begin += parts * part) {
                                F found(std::min(parts * part, expected.size() - begin), -1);
                                weight.read(begin * 4, found.size() * 4,
                                            reinterpret_cast<std::byte*>(found.data()));
                                ASSERT_TRUE(std::equal(
                                    found.begin(), found.end(),
                                    expected.begin() + static_cast<std::ptrdiff_t>(begin)))
                                    << "element " << begin;
                            }
                        ASSERT_TRUE(weight.is_deferred());
                        ASSERT_EQ(values_of<float>(weight), expected);
                    }
    });
}

TEST(BlockedWeight, RefusesWhatIsNoWeightAndTakesAnEmptyOne) {
    EXPECT_THROW(blocked_weight(Tensor::of<float>({4}, F(4)), 4, true), Error);
    EXPECT_THROW(blocked_weight(Tensor::of<std::int32_t>({1, 1, 1, 1}, {1}), 4, true), Error);
    const Tensor empty = blocked_weight(Tensor(DType::f32, {4, 0, 1, 1}), 4, true);
    EXPECT_EQ(empty.shape(), (Shape{4, 0, 1, 1}));
    EXPECT_EQ(empty.size(), 0);
}

}  // namespace
}  // namespace lapidary::test

// SPDX-License-Identifier: Apache-2.0
// Recordings and values in blocks of memory.
#include <ctime>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "support/time_budget.h"
#include "worker/protocol/bytes/profile_bytes.h"
#include "worker/protocol/run_record_members.h"
#include "worker/protocol/bytes/value_bytes.h"

namespace lapidary::app {
namespace {

template <typename Write>
std::vector<std::byte> written(Write&& write) {
    ByteWriter count;
    write(count);
    std::vector<std::byte> bytes(count.size());
    ByteWriter writer(bytes);
    write(writer);
    EXPECT_EQ(writer.size(), bytes.size());
    return bytes;
}

bool same(const Profile& of_a, const Span& a, const Profile& of_b, const Span& b) {
    return a.kind == b.kind && a.node == b.node && a.thread == b.thread && a.depth == b.depth &&
           a.run == b.run && a.begin_ns == b.begin_ns && a.end_ns == b.end_ns &&
           a.bytes == b.bytes && of_a.text(a) == of_b.text(b);
}

Profile recording(int spans) {
    Profile profile;
    profile.model_name = "m";
    profile.threads = 3;
    profile.runs = 2;
    profile.dropped_events = 9;
    profile.peak_bytes = 1234;
    profile.weight_bytes = 5678;
    profile.note = "broke off";
    for (int i = 0; i < spans; ++i) {
        Span span;
        const std::string name = "/encoder/layer." + std::to_string(i % 100) + "/attention/MatMul";
        SpanText text{.name = name, .op = i % 3 ? "MatMul" : "com.microsoft::Gelu"};
        text.kernel = "product.packed";
        text.shapes = "f32[1,128,768] x f32[768,768] -> f32[1,128,768]";
        if (i % 100 == 7) text.fallback = "an input has no elements";
        span.label = profile.labels.add(text);
        span.node = NodeId(static_cast<std::uint32_t>(i % 100));
        span.thread = i % 4;
        span.depth = i % 2;
        span.run = i / 100;
        span.begin_ns = i * 1000;
        span.end_ns = i * 1000 + 900;
        span.bytes = i;
        profile.kernels.push_back(span);
    }
    profile.phases.push_back(profile.kernels.front());
    profile.phases[0].kind = EventKind::phase;
    profile.memory.push_back(profile.kernels.back());
    profile.memory[0].kind = EventKind::release;
    return profile;
}

TEST(RecordBytes, PlacementsComeBackTheSame) {
    PlacementReport placement;
    placement.nodes = {{NodeId(3), "a", "Conv", "second", 1, false, {}},
                       {NodeId(4),
                        "b",
                        "Shape",
                        "CPU",
                        0,
                        true,
                        {{"second", "it computes shapes"}, {"third", "no"}}}};
    placement.islands = {{"second", 1, 2000, 500.5}};
    placement.copies = {{NodeId(9), "x", "CPU", "second", "node 'a'", 4096},
                        {NodeId(8), "y", "second", "CPU", "graph output", -1}};
    std::vector<std::byte> bytes =
        written([&](ByteWriter& out) { write_described(out, placement); });
    ByteReader reader(bytes, nullptr);
    const PlacementReport back = read_described<PlacementReport>(reader);
    EXPECT_EQ(reader.left(), 0u);
    EXPECT_EQ(written([&](ByteWriter& out) { write_described(out, back); }), bytes);
    ASSERT_EQ(back.nodes.size(), 2u);
    EXPECT_EQ(back.nodes[1].reasons.at(1).reason, "no");
    EXPECT_TRUE(back.nodes[1].is_shape_computation);
    EXPECT_EQ(back.nodes[0].island, 1u);
    EXPECT_EQ(back.islands.at(0).copies_ns, 500.5);
    EXPECT_EQ(back.copies.at(0).cause, "node 'a'");
    EXPECT_EQ(back.copies.at(1).bytes, -1);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        ByteReader broken(std::span<std::byte>(bytes).first(cut), nullptr);
        EXPECT_THROW(read_described<PlacementReport>(broken), Error) << cut;
    }
}

TEST(RecordBytes, AMillionSpansComeBackTheSame) {
    const Profile profile = recording(1'000'000);
    const std::clock_t start = std::clock();
    std::vector<std::byte> bytes = written([&](ByteWriter& out) { write_profile(out, profile); });
    ByteReader reader(bytes, nullptr);
    const Profile back = read_profile(reader);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 3 * wall_factor) << "of processor time; a quarter is usual";
    EXPECT_EQ(reader.left(), 0u);
    EXPECT_LT(bytes.size(), 50'000'000u);
    EXPECT_EQ(back.model_name, profile.model_name);
    EXPECT_EQ(back.threads, 3);
    EXPECT_EQ(back.runs, 2);
    EXPECT_EQ(back.dropped_events, 9u);
    EXPECT_EQ(back.peak_bytes, 1234);
    EXPECT_EQ(back.weight_bytes, 5678);
    EXPECT_EQ(back.note, "broke off");
    ASSERT_EQ(back.kernels.size(), profile.kernels.size());
    ASSERT_EQ(back.phases.size(), 1u);
    ASSERT_EQ(back.memory.size(), 1u);
    EXPECT_TRUE(same(back, back.phases[0], profile, profile.phases[0]));
    EXPECT_TRUE(same(back, back.memory[0], profile, profile.memory[0]));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < back.kernels.size(); ++i)
        wrong += !same(back, back.kernels[i], profile, profile.kernels[i]);
    EXPECT_EQ(wrong, 0u);
}

TEST(RecordBytes, TruncatedBytesAreAnError) {
    const Profile profile = recording(20);
    const std::vector<std::byte> whole =
        written([&](ByteWriter& out) { write_profile(out, profile); });
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::vector<std::byte> part(whole.begin(),
                                    whole.begin() + static_cast<std::ptrdiff_t>(size));
        ByteReader reader(part, nullptr);
        EXPECT_THROW(read_profile(reader), Error) << size;
    }
    for (std::size_t at = 0; at < whole.size();
         ++at) {  // it must not crash; the values may be wrong
        std::vector<std::byte> wrong = whole;
        wrong[at] ^= std::byte{0xff};
        ByteReader reader(wrong, nullptr);
        try {
            read_profile(reader);
        } catch (const Error&) {}
    }
}

TEST(RecordBytes, ValuesOfEveryKindComeBackTheSame) {
    Sequence sequence;
    sequence.element_type = Type::tensor(DType::f32, {Dim(2), Dim::symbolic("n + 1"), Dim()});
    sequence.items.push_back(Tensor::of<float>({2}, {1, 2}));
    sequence.items.push_back(Tensor::of<float>({0}, {}));
    Sequence nested;
    nested.element_type = Type::sequence(sequence.element_type);
    nested.items.push_back(sequence);
    Map by_number{{3, 1}, {}, Tensor::of<float>({2}, {0.5f, 0.25f})};
    Map by_name{{}, {"cat", ""}, Tensor::of<double>({2}, {1, 2})};
    const NamedValues values{
        {"scalar", Tensor::scalar<std::int64_t>(7)},
        {"", Tensor::of<Half>({1, 2}, {Half(1.f), Half(2.f)})},
        {"words", Tensor::of<std::string>({3}, {"a", std::string("b\0c", 3), "\xff"})},
        {"nothing", RuntimeValue{}},
        {"list", nested},
        {"numbers", by_number},
        {"names", by_name}};
    std::vector<std::byte> bytes = written([&](ByteWriter& out) { write_values(out, values); });
    ByteReader reader(bytes, std::make_shared<int>(0));
    const NamedValues back = read_values(reader);
    EXPECT_EQ(reader.left(), 0u);
    ASSERT_EQ(back.size(), values.size());
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(back[i].first, values[i].first);
        EXPECT_TRUE(same_contents(back[i].second.tensor(), values[i].second.tensor())) << i;
    }
    EXPECT_TRUE(back[3].second.is_empty());
    const Sequence& outer = back[4].second.sequence();
    EXPECT_EQ(outer.element_type, nested.element_type);
    EXPECT_EQ(to_string(outer.element_type), to_string(nested.element_type));
    ASSERT_EQ(outer.items.size(), 1u);
    ASSERT_EQ(outer.items[0].sequence().items.size(), 2u);
    EXPECT_TRUE(
        same_contents(outer.items[0].sequence().items[0].tensor(), sequence.items[0].tensor()));
    EXPECT_EQ(back[5].second.map().int_keys, by_number.int_keys);
    EXPECT_EQ(back[6].second.map().string_keys, by_name.string_keys);
    EXPECT_TRUE(same_contents(back[6].second.map().values, by_name.values));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        std::vector<std::byte> part(bytes.begin(),
                                    bytes.begin() + static_cast<std::ptrdiff_t>(size));
        ByteReader broken(part, nullptr);
        EXPECT_THROW(read_values(broken), Error) << size;
    }
}

}  // namespace
}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// A cache whose past and present are the same memory of the caller: kernels write only the new
// rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/tensor/float16.h>

namespace lapidary::test {
namespace {

constexpr std::int64_t key_heads = 2, size = 8, capacity = 12;

ModelPtr model_of(const std::string& text, std::int64_t opset) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = opset;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text, {.opset = opset});
    return model;
}

const char* const decoder =
    "(q: f32[1,s,32], k: f32[1,s,16], v: f32[1,s,16], a: f32[1,2,p,8], b: f32[1,2,p,8], l: i32[1], "
    "t: i32[1]) -> (y, c, d)\n"
    "y, c, d = com.microsoft::GroupQueryAttention(q, k, v, a, b, l, t) "
    "{num_heads: 4, kv_num_heads: 2}\n";

Tensor varied(Shape shape, int seed) {
    Tensor tensor(DType::f32, std::move(shape));
    int at = seed;
    for (float& x : tensor.mutable_data<float>())
        x = static_cast<float>((at = (at * 37 + 11) % 101) - 50) / 40.0f;
    return tensor;
}

Tensor integer(std::int32_t value) { return Tensor::of<std::int32_t>({1}, {value}); }

/// A cache of zeros at a multiple of 64 bytes.
Tensor empty_cache(std::int64_t rows = capacity, DType dtype = DType::f32) {
    const Shape shape{1, key_heads, rows, size};
    const std::size_t bytes = storage_bytes(dtype, element_count(shape));
    const std::shared_ptr<void> memory(::operator new(bytes, std::align_val_t(64)),
                                       [](void* p) { ::operator delete(p, std::align_val_t(64)); });
    std::fill_n(static_cast<std::byte*>(memory.get()), bytes, std::byte{0});
    return Tensor::borrow(dtype, shape, memory.get(), memory);
}

/// Inputs of `fresh` new rows behind `used` ones.
NamedValues step_inputs(std::int64_t used, std::int64_t fresh, const Tensor& keys,
                        const Tensor& values) {
    const int seed = static_cast<int>(used) + 3;
    const auto total = static_cast<std::int32_t>(used + fresh);
    return {{"q", varied({1, fresh, 32}, seed)},
            {"k", varied({1, fresh, 16}, seed + 1)},
            {"v", varied({1, fresh, 16}, seed + 2)},
            {"a", keys},
            {"b", values},
            {"l", integer(total - 1)},
            {"t", integer(total)}};
}

Tensor in_halves(const Tensor& floats) {
    Tensor halves(DType::f16, floats.shape());
    std::ranges::transform(floats.data<float>(), halves.mutable_data<Half>().begin(),
                           [](float x) { return Half(x); });
    return halves;
}

/// The inputs with floats of a type; caches have it already.
NamedValues of_type(NamedValues inputs, DType dtype) {
    if (dtype == DType::f16)
        for (auto& [name, value] : inputs)
            if (value.tensor().dtype() == DType::f32) value = in_halves(value.tensor());
    return inputs;
}

std::string decoder_of(DType dtype) {
    std::string text = decoder;
    if (dtype == DType::f16)
        for (std::size_t at; (at = text.find("f32")) != std::string::npos;)
            text.replace(at, 3, "f16");
    return text;
}

void expect_as_copied(DType dtype, const SessionOptions& options) {
    const ModelPtr model = model_of(decoder_of(dtype), 18);
    Session in_place = Session::compile(model, options), copying = Session::compile(model, options);
    const Tensor keys = empty_cache(capacity, dtype), values = empty_cache(capacity, dtype);
    RunOptions shared;
    shared.output_buffers = {{"c", keys}, {"d", values}};
    Tensor copied_keys = empty_cache(capacity, dtype), copied_values = empty_cache(capacity, dtype);
    for (std::int64_t used = 0; used < capacity;) {
        const std::int64_t fresh = used == 0 ? 3 : 1;
        const RunResult there =
            in_place.run(of_type(step_inputs(used, fresh, keys, values), dtype), shared);
        const RunResult here =
            copying.run(of_type(step_inputs(used, fresh, copied_keys, copied_values), dtype));
        EXPECT_TRUE(there.copied_outputs.empty())
            << used << ": " << there.copied_outputs.front().reason;
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(
                same_contents(there.outputs[i].second.tensor(), here.outputs[i].second.tensor()))
                << here.outputs[i].first << " behind " << used << " rows";
        copied_keys = here.outputs[1].second.tensor();
        copied_values = here.outputs[2].second.tensor();
        used += fresh;
    }
}

TEST(CacheInPlace, EqualsACacheThatIsCopied) {
    for (const DType dtype : {DType::f32, DType::f16})
        for (const bool fast : {true, false}) {
            SCOPED_TRACE(std::string(name_of(dtype)) + (fast ? "" : ", reference kernels"));
            SessionOptions options;
            options.reference_kernels = !fast;
            expect_as_copied(dtype, options);
        }
}

std::string copy_reason(const std::string& text, const Tensor& buffer) {
    Session session = Session::compile(model_of(text, 18));
    RunOptions options;
    options.output_buffers = {{"c", buffer}};
    const Tensor keys = empty_cache(), values = empty_cache();
    const Tensor& past = buffer.shape() == keys.shape() ? buffer : keys;
    const RunResult result = session.run(step_inputs(4, 1, past, values), options);
    return result.copied_outputs.empty() ? "" : result.copied_outputs[0].reason;
}

TEST(CacheInPlace, IsNotWrittenWhereSomethingElseReadsThePast) {
    const std::string text(decoder);
    EXPECT_EQ(copy_reason(text, empty_cache()), "");
    std::string twice = text;
    twice.replace(twice.find("(y, c, d)"), 9, "(y, c, d, n)");
    EXPECT_EQ(copy_reason(twice + "n = Neg(a)\n", empty_cache()),
              "the memory overlaps that of input \"a\"");
}

TEST(CacheInPlace, TensorScatterWritesItsUpdateAlone) {
    Session session = Session::compile(
        model_of("(past: f32[1,2,12,8], update: f32[1,2,1,8], at: i64[1]) -> (present)\n"
                 "present = TensorScatter(past, update, at) {axis: 2}\n",
                 24));
    const Tensor cache = empty_cache();
    RunOptions options;
    options.output_buffers = {{"present", cache}};
    Tensor expected(DType::f32, cache.shape());
    std::ranges::fill(expected.mutable_data<float>(), 0.0f);
    for (std::int64_t row = 0; row < 5; ++row) {
        const Tensor update = varied({1, 2, 1, 8}, static_cast<int>(row));
        const RunResult result = session.run(
            {{"past", cache}, {"update", update}, {"at", Tensor::of<std::int64_t>({1}, {row})}},
            options);
        EXPECT_TRUE(result.copied_outputs.empty());
        for (std::int64_t head = 0; head < 2; ++head)
            std::copy_n(update.data<float>().data() + head * size, size,
                        expected.mutable_data<float>().data() + (head * capacity + row) * size);
        EXPECT_TRUE(same_contents(cache, expected)) << row;
    }
}

}  // namespace
}  // namespace lapidary::test

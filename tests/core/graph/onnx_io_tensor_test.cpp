// SPDX-License-Identifier: Apache-2.0
// TensorProto payloads: every element type, every field that may hold it, and sizes that do not
// fit.
#include <gtest/gtest.h>

#include <complex>

#include <lapidary/onnx_io/model_io.h>

#include "support/onnx_bytes.h"

namespace lapidary {
namespace {

using namespace test::onnx_bytes;

Model load(const std::string& bytes) {
    LoadOptions options;
    options.infer_types = false;
    return load_model_from_memory(std::as_bytes(std::span(bytes.data(), bytes.size())), options);
}

Tensor weight(const std::string& tensor_proto, DType dtype) {
    const Model model = load(model_of(tensor_proto, static_cast<int>(dtype)));
    return *model.graph.value(model.graph.find_value("w")).constant;
}

std::string refusal(const std::string& tensor_proto, DType dtype = DType::f32) {
    try {
        weight(tensor_proto, dtype);
    } catch (const Error& e) { return e.what(); }
    return "loaded";
}

template <typename T>
void expect_elements(const Tensor& tensor, const std::vector<T>& expected) {
    ASSERT_EQ(tensor.dtype(), dtype_of<T>);
    ASSERT_EQ(static_cast<std::size_t>(tensor.size()), expected.size());
    EXPECT_EQ(std::memcmp(tensor.raw(), expected.data(), expected.size() * sizeof(T)), 0);
}

std::string int32_data(DType dtype, std::initializer_list<std::int64_t> dims,
                       const std::vector<std::int64_t>& values, bool packed = true) {
    std::string list;
    for (const std::int64_t v : values)
        list += packed ? varint(static_cast<std::uint64_t>(v)) : number(5, v);
    return tensor_head("w", dims, static_cast<int>(dtype)) + (packed ? bytes(5, list) : list);
}

TEST(OnnxTensor, RawDataOfEveryNumericType) {
    for (int number_of_type = 1; number_of_type <= 23; ++number_of_type) {
        const auto dtype = static_cast<DType>(number_of_type);
        if (dtype == DType::string) continue;
        const std::size_t size = storage_bytes(dtype, 3);
        std::string data(size, '\1');
        const Tensor t = weight(tensor("w", {3}, number_of_type, data), dtype);
        EXPECT_EQ(t.dtype(), dtype);
        EXPECT_EQ(t.shape(), Shape{3});
        ASSERT_EQ(t.byte_size(), size) << name_of(dtype);
        EXPECT_EQ(std::memcmp(t.raw(), data.data(), size), 0) << name_of(dtype);
        for (const std::size_t wrong : {size - 1, size + 1}) {
            const std::string message =
                refusal(tensor("w", {3}, number_of_type, std::string(wrong, '\1')), dtype);
            EXPECT_NE(message.find("need " + std::to_string(size) + " bytes, raw_data has " +
                                   std::to_string(wrong)),
                      std::string::npos)
                << name_of(dtype) << ": " << message;
        }
    }
}

TEST(OnnxTensor, TypedFields) {
    const std::vector<float> floats{1.5f, -0.0f, 3e38f};
    expect_elements(weight(tensor_head("w", {3}, 1) + bytes(4, raw(floats)), DType::f32), floats);
    const std::vector<double> doubles{1e300, -2};
    expect_elements(weight(tensor_head("w", {2}, 11) + bytes(10, raw(doubles)), DType::f64),
                    doubles);
    const std::vector<std::complex<float>> complex{{1, 2}, {3, 4}};
    expect_elements(weight(tensor_head("w", {2}, 14) + bytes(4, raw(complex)), DType::complex64),
                    complex);
    const std::vector<std::complex<double>> wide{{1, 2}};
    expect_elements(weight(tensor_head("w", {1}, 15) + bytes(10, raw(wide)), DType::complex128),
                    wide);
    expect_elements<std::int64_t>(
        weight(tensor_head("w", {2}, 7) + bytes(7, varint(5) + varint(~std::uint64_t{0})),
               DType::i64),
        {5, -1});
    expect_elements<std::uint64_t>(
        weight(tensor_head("w", {1}, 13) + bytes(11, varint(~std::uint64_t{0})), DType::u64),
        {~std::uint64_t{0}});
    expect_elements<std::uint32_t>(
        weight(tensor_head("w", {1}, 12) + bytes(11, varint(0xffffffff)), DType::u32),
        {0xffffffff});
    expect_elements<std::int32_t>(weight(int32_data(DType::i32, {2}, {-5, 7}), DType::i32),
                                  {-5, 7});
    expect_elements<std::int8_t>(weight(int32_data(DType::i8, {2}, {-128, 127}), DType::i8),
                                 {-128, 127});
    expect_elements<std::uint8_t>(weight(int32_data(DType::u8, {2}, {0, 255}), DType::u8),
                                  {0, 255});
    expect_elements<std::int16_t>(weight(int32_data(DType::i16, {2}, {-32768, 32767}), DType::i16),
                                  {-32768, 32767});
    expect_elements<std::uint16_t>(weight(int32_data(DType::u16, {1}, {65535}), DType::u16),
                                   {65535});
    EXPECT_EQ(static_cast<float>(
                  weight(int32_data(DType::f16, {1}, {0x3c00}), DType::f16).data<Half>()[0]),
              1.0f);
    EXPECT_EQ(static_cast<float>(
                  weight(int32_data(DType::bf16, {1}, {0x3f80}), DType::bf16).data<BFloat16>()[0]),
              1.0f);
    const Tensor strings =
        weight(tensor_head("w", {2}, 8) + bytes(6, "a") + bytes(6, ""), DType::string);
    EXPECT_EQ(strings.data<std::string>()[0], "a");
    EXPECT_EQ(strings.data<std::string>()[1], "");
}

TEST(OnnxTensor, NumbersNotPacked) {
    expect_elements<std::int32_t>(
        weight(int32_data(DType::i32, {3}, {1, -2, 3}, false), DType::i32), {1, -2, 3});
    const std::string one = varint(4 << 3 | 5) + raw<float>({2.5f});
    expect_elements<float>(weight(tensor_head("w", {2}, 1) + one + one, DType::f32), {2.5f, 2.5f});
}

TEST(OnnxTensor, FourBitTypesShareBytes) {
    const Tensor packed = weight(int32_data(DType::i4, {3}, {0x21, 0x0f}), DType::i4);
    EXPECT_EQ(to_doubles(packed), (std::vector<double>{1, 2, -1}));
    EXPECT_EQ(to_doubles(weight(tensor("w", {3}, 21, "\x21\x0f"), DType::u4)),
              (std::vector<double>{1, 2, 15}));
    EXPECT_NE(refusal(int32_data(DType::i4, {3}, {0x21}), DType::i4)
                  .find("need 2 elements in int32_data"),
              std::string::npos);
}

TEST(OnnxTensor, NumbersOutOfRange) {
    EXPECT_NE(refusal(int32_data(DType::u8, {2}, {1, 256}), DType::u8)
                  .find("element 1 of int32_data is 256, out of range for u8"),
              std::string::npos);
    EXPECT_NE(refusal(int32_data(DType::i8, {1}, {-129}), DType::i8).find("is -129"),
              std::string::npos);
    EXPECT_NE(refusal(tensor_head("w", {1}, 12) + bytes(11, varint(1ull << 32)), DType::u32)
                  .find("out of range for u32"),
              std::string::npos);
}

TEST(OnnxTensor, CountsMustAgree) {
    EXPECT_NE(refusal(int32_data(DType::i32, {3}, {1, 2}), DType::i32)
                  .find("need 3 elements in int32_data"),
              std::string::npos);
    EXPECT_NE(refusal(int32_data(DType::i32, {1}, {1, 2}), DType::i32)
                  .find("need 1 elements in int32_data, found 2"),
              std::string::npos);
    EXPECT_NE(refusal(tensor_head("w", {2}, 1) + bytes(4, raw<float>({1, 2, 3})))
                  .find("need 2 elements in float_data, found 3"),
              std::string::npos);
    EXPECT_NE(refusal(tensor_head("w", {2}, 1) + bytes(4, "12345"))
                  .find("5 bytes, expected a multiple of 4"),
              std::string::npos);
    EXPECT_NE(
        refusal(int32_data(DType::i32, {1'000'000'000}, {1, 2}), DType::i32).find("which has only"),
        std::string::npos);
    EXPECT_NE(refusal(tensor_head("w", {2}, 8) + bytes(6, "a") + bytes(6, "b") + bytes(6, "c"),
                      DType::string)
                  .find("needs 2 strings, found 3"),
              std::string::npos);
}

TEST(OnnxTensor, EmptyTensorsNeedNoData) {
    EXPECT_EQ(weight(tensor_head("w", {0, 3}, 1), DType::f32).shape(), (Shape{0, 3}));
    EXPECT_EQ(weight(tensor("w", {0, std::int64_t{1} << 62, 8}, 1, ""), DType::f32).size(), 0);
    EXPECT_NE(refusal(tensor("w", {0, 3}, 1, "1234")).find("raw_data has 4"), std::string::npos);
}

TEST(OnnxTensor, BoolBytesBecomeZeroOrOne) {
    const Model model = load(model_of(tensor("w", {3}, 9, std::string("\0\1\7", 3)), 9));
    const auto data = model.graph.value(model.graph.find_value("w")).constant->bytes();
    EXPECT_EQ(std::to_integer<int>(data[0]), 0);
    EXPECT_EQ(std::to_integer<int>(data[1]), 1);
    EXPECT_EQ(std::to_integer<int>(data[2]), 1);
    ASSERT_EQ(model.warnings.size(), 1u);
    EXPECT_NE(model.warnings[0].message.find("1 bool elements"), std::string::npos);
    const Tensor typed = weight(int32_data(DType::boolean, {2}, {256, 0}), DType::boolean);
    EXPECT_TRUE(typed.data<bool>()[0]);
    EXPECT_FALSE(typed.data<bool>()[1]);
}

TEST(OnnxTensor, LimitsAtAndPastTheBound) {
    const auto with_rank = [](int rank) {
        std::string dims;
        for (int i = 0; i < rank; ++i) dims += number(1, 1);
        return dims + number(2, 1) + bytes(8, "w") + bytes(9, std::string(4, '\0'));
    };
    EXPECT_EQ(refusal(with_rank(64)), "loaded");
    EXPECT_NE(refusal(with_rank(65)).find("rank 65, the limit is 64"), std::string::npos);
    EXPECT_NE(refusal(tensor("w", {1}, 27, "1")).find("FLOAT6E2M3 (27), which is not supported"),
              std::string::npos);
    EXPECT_NE(refusal(tensor_head("w", {1}, 1) + bytes(3, number(1, 0)) + bytes(9, "1234"))
                  .find("segments"),
              std::string::npos);
}

TEST(OnnxTensor, SparseInitializersBecomeDenseAndStaySparse) {
    GraphParts graph;
    graph.nodes = {node("Identity", {"w"}, {"y"}, "id")};
    graph.outputs = {value_info("y", 1, {2, 3})};
    const auto sparse = [&](const std::string& indices) {
        return bytes(15, bytes(1, tensor("w", {2}, 1, raw<float>({5, 7}))) + bytes(2, indices) +
                             number(3, 2) + number(3, 3));
    };
    for (const std::string& indices : {tensor("", {2}, 7, raw<std::int64_t>({1, 5})),
                                       tensor("", {2, 2}, 7, raw<std::int64_t>({0, 1, 1, 2}))}) {
        graph.extra = sparse(indices);
        const Model m = load(model(graph));
        const Value& w = m.graph.value(m.graph.find_value("w"));
        EXPECT_EQ(to_doubles(*w.constant), (std::vector<double>{0, 5, 0, 0, 0, 7}));
        ASSERT_NE(w.sparse, nullptr);
        EXPECT_EQ(w.sparse->values.size(), 2);
    }
    graph.extra = sparse(tensor("", {2}, 7, raw<std::int64_t>({5, 1})));
    EXPECT_THROW(load(model(graph)), Error);
    graph.extra = sparse(tensor("", {2}, 7, raw<std::int64_t>({1, 6})));
    EXPECT_THROW(load(model(graph)), Error);
}

}  // namespace
}  // namespace lapidary

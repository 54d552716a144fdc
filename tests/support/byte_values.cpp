// SPDX-License-Identifier: Apache-2.0
#include "support/byte_values.h"

namespace lapidary::test {

Tensor random_bytes(std::mt19937& generator, Shape shape, DType dtype) {
    Tensor t(dtype, std::move(shape));
    auto* to = static_cast<std::uint8_t*>(t.mutable_raw());
    for (std::int64_t i = 0; i < t.size(); ++i) {
        const auto r = generator();
        const std::uint8_t extreme = dtype == DType::u8 ? (r & 1 ? 255 : 0) : (r & 1 ? 127 : 128);
        to[i] = r % 3 == 0 ? extreme : static_cast<std::uint8_t>(r >> 8);
    }
    return t;
}

Tensor byte_scalar(DType dtype, int value) {
    return dtype == DType::u8 ? Tensor::scalar(static_cast<std::uint8_t>(value))
                              : Tensor::scalar(static_cast<std::int8_t>(value));
}

Tensor random_reals(std::mt19937& generator, Shape shape, float low, float high) {
    Tensor t(DType::f32, std::move(shape));
    std::uniform_real_distribution<float> pick(low, high);
    for (float& v : t.mutable_data<float>()) v = pick(generator);
    return t;
}

Tensor random_words(std::mt19937& generator, Shape shape, int magnitude) {
    Tensor t(DType::i32, std::move(shape));
    for (auto& v : t.mutable_data<std::int32_t>())
        v = static_cast<std::int32_t>(generator() % static_cast<unsigned>(2 * magnitude + 1)) -
            magnitude;
    return t;
}

std::string difference(const Tensor& expected, const Tensor& found) {
    if (same_contents(expected, found)) return {};
    if (expected.shape() != found.shape() || expected.dtype() != found.dtype())
        return "expected " + to_string(expected.shape()) + ", found " + to_string(found.shape());
    const std::vector<double> e = to_doubles(expected), f = to_doubles(found);
    for (std::size_t i = 0; i < e.size(); ++i)
        if (e[i] != f[i])
            return "element " + std::to_string(i) + ": " + std::to_string(e[i]) + " became " +
                   std::to_string(f[i]);
    return "NaN or the sign of a zero";
}

}  // namespace lapidary::test

// SPDX-License-Identifier: Apache-2.0
// How a model is quantized, described member by member (lapidary/internal/members.h).
#pragma once

#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/internal/members_json.h>

#include "worker/protocol/quantization.h"

namespace lapidary {

template <>
struct StoredAs<DType> {
    using Form = std::string;
    static Form form_of(DType dtype) { return std::string(name_of(dtype)); }
    static DType value_of(const Form& name) {
        const auto known = dtype_from_name(name);
        if (!known) fail_input("expected an element type, found " + quote(name));
        return *known;
    }
};

template <>
struct EnumNames<QuantizeMode> {
    using enum QuantizeMode;
    static constexpr std::array values{dynamic, static_qdq, weights, half};
};
template <>
struct EnumNames<StaticForm> {
    static constexpr std::array values{StaticForm::pairs, StaticForm::operators};
};
template <>
struct EnumNames<StaticPlacement> {
    static constexpr std::array values{StaticPlacement::benefit, StaticPlacement::onnxruntime};
};
template <>
struct EnumNames<WeightStorage> {
    using enum WeightStorage;
    static constexpr std::array values{blocks, float8, bfloat16};
};
template <>
struct EnumNames<RangeMethod> {
    using enum RangeMethod;
    static constexpr std::array values{minmax, percentile, entropy, mse};
};
template <>
struct EnumNames<BlockForm> {
    static constexpr std::array<std::pair<BlockForm, std::string_view>, 2> all{
        {{BlockForm::matmul_nbits, "nbits"}, {BlockForm::dequantize, "dequantize"}}};
};
template <>
struct EnumNames<ImageOptions::Layout> {
    using Layout = ImageOptions::Layout;
    static constexpr std::array<std::pair<Layout, std::string_view>, 2> all{
        {{Layout::nchw, "nchw"}, {Layout::nhwc, "nhwc"}}};
};

template <>
struct Members<CalibrationOptions> {
    using T = CalibrationOptions;
    static constexpr auto list = members<T>(
        member<&T::most_samples>("most_samples"), member<&T::moving_average>("moving_average"),
        member<&T::settled_change>("settled_change"),
        member<&T::settled_samples>("settled_samples"), unsent<&T::histograms>(),
        member<&T::threads>("threads"));
};
template <>
struct Members<QuantizeOptions> {
    using T = QuantizeOptions;
    static constexpr bool only_changes = true;
    static constexpr auto list = members<T>(
        member<&T::mode>("mode"), member<&T::per_channel>("per_channel"),
        member<&T::reduced_range>("reduced_range"), member<&T::activation>("activation"),
        member<&T::weight>("weight"), member<&T::static_form>("static_form"),
        member<&T::placement>("placement"),
        member<&T::symmetric_activation>("symmetric_activation"),
        member<&T::symmetric_weight>("symmetric_weight"),
        member<&T::fused_operators>("fused_operators"), member<&T::storage>("storage"),
        member<&T::weight_bits>("weight_bits"), member<&T::block>("block"),
        member<&T::symmetric_blocks>("symmetric_blocks"), member<&T::block_form>("block_form"),
        member<&T::fitted_blocks>("fitted_blocks"), member<&T::bits_per_weight>("bits_per_weight"),
        member<&T::range>("range"), member<&T::percentile>("percentile"),
        member<&T::range_headroom>("range_headroom"), inlined<&T::calibration>(),
        member<&T::bias_correction>("bias_correction"), member<&T::equalize>("equalize"),
        member<&T::smoothing>("smoothing"), member<&T::smoothing_by_input>("smoothing_by_input"),
        member<&T::rotation>("rotation"), member<&T::compensated_rounding>("compensated_rounding"),
        member<&T::keep_float>("keep_float"), member<&T::weights_of>("weights_of"),
        member<&T::weights_alone>("weights_alone"), member<&T::bound_masks>("bound_masks"));
};
template <>
struct Members<NodeDecision> {
    using T = NodeDecision;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::name>("name"), member<&T::place>("place"),
                   member<&T::quantized>("quantized"), member<&T::reason>("reason"));
};
template <>
struct Members<ImageOptions> {
    using T = ImageOptions;
    static constexpr bool only_changes = true;
    static constexpr auto list =
        members<T>(unsent<&T::layout>(), member<&T::mean>("mean"), member<&T::stddev>("std"),
                   member<&T::bgr>("bgr"), member<&T::scale_chosen>("scale_chosen"),
                   member<&T::crop>("crop").within(0, 1), member<&T::array_layout>("array_layout"));
    static void check(const T& images) {
        for (const float deviation : images.stddev)
            if (!(deviation != 0)) fail_input("\"std\" must not be 0");
    }
};
template <>
struct Members<TextOptions> {
    using T = TextOptions;
    static constexpr auto list =
        members<T>(member<&T::vocabulary>("vocabulary"), member<&T::most_tokens>("tokens"),
                   member<&T::lower_case>("lower_case"));
};
template <>
struct Members<app::SampleChoice> {
    using T = app::SampleChoice;
    static constexpr bool only_changes = true;
    static constexpr auto list =
        members<T>(member<&T::data>("data"), member<&T::generated>("generated"),
                   member<&T::seed>("seed"), inlined<&T::images>(), inlined<&T::text>());
};
template <>
struct Members<app::Quantization> {
    using T = app::Quantization;
    static constexpr auto list = members<T>(member<&T::options>("options").required(),
                                            member<&T::samples>("samples").required());
};

}  // namespace lapidary

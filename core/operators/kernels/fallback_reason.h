// SPDX-License-Identifier: Apache-2.0
// Why a fast kernel hands a run of its node to the reference kernel:
// KernelContext::run_on_reference().
#pragma once

namespace lapidary {

/// A phrase that continues "ran on the reference kernel: ". A constant of the program, so that
/// noting it costs nothing while the model runs. Empty: nothing prevents the fast kernel.
class FallbackReason {
public:
    constexpr FallbackReason() = default;
    consteval FallbackReason(const char* text) : text_(text) {}
    constexpr const char* text() const { return text_; }
    constexpr explicit operator bool() const { return text_ != nullptr; }

private:
    const char* text_ = nullptr;
};

/// Reasons that several kernels have.
namespace fallback {
inline constexpr FallbackReason none;
inline constexpr FallbackReason element_type = "there is no fast loop for the element type";
inline constexpr FallbackReason unlike_types =
    "the inputs are of types that the fast kernel does not mix";
inline constexpr FallbackReason no_elements = "an input has no elements";
inline constexpr FallbackReason axis_outside = "the axis lies outside of the input's shape";
inline constexpr FallbackReason rank =
    "the input has more or fewer axes than the fast kernel takes";
inline constexpr FallbackReason long_line = "the axis is longer than a 32-bit index counts";
inline constexpr FallbackReason list_input =
    "a list of sizes, axes or positions has another type or length than the "
    "fast kernel reads";
inline constexpr FallbackReason index_type = "indices are neither i64 nor i32";
inline constexpr FallbackReason index_outside = "an index lies outside of the data";
inline constexpr FallbackReason shapes =
    "the shapes of the inputs do not go together as the fast kernel takes them";
inline constexpr FallbackReason parameter_sizes =
    "scale, bias or another parameter has another shape or type than the "
    "fast kernel takes";
inline constexpr FallbackReason score_output = "attention scores are asked for as an output";
inline constexpr FallbackReason cache_shapes =
    "past keys and values have other shapes than the fast kernel takes";
inline constexpr FallbackReason mask_shape =
    "the mask or bias has another shape or type than the fast kernel takes";
}  // namespace fallback

}  // namespace lapidary

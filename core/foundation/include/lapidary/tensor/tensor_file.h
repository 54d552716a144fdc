// SPDX-License-Identifier: Apache-2.0
// Tensor files: .npy, .npz, PNG and JPEG images. (.pb files: model_io.h.)
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// An array of a file as its header announces it.
struct ArrayHeader {
    std::string name;                // in an .npz; empty: of an .npy
    DType dtype = DType::undefined;  // of its elements
    Shape shape;                     // as in the file
};

/// Which arrays of a file are read. Memory is allocated only after `wants` has accepted an array.
struct ArrayReading {
    Limits limits;       // of each array, and of what an archive unpacks to
    CancelToken cancel;  // looked at while reading
    /// Returns false to leave the array out. An exception ends the reading and gets the names of
    /// file and array. Null: all are read.
    std::function<bool(const ArrayHeader&)> wants;
};

/// NumPy .npy, versions 1 to 3, either byte order, C or Fortran order, numeric, bool, fixed-width
/// bytes and unicode strings; 2-byte void is bf16, as ml_dtypes writes it. Object and structured
/// arrays are refused, and so is anything after the last element, as invalid_input or
/// not_supported. Sizes are checked first: limit_exceeded.
Tensor load_npy(const std::filesystem::path& path, const Limits& limits = {});
/// As above. An empty tensor where `reading` does not want the array. Throws what `reading.wants`
/// throws, and cancelled.
Tensor load_npy(const std::filesystem::path& path, const ArrayReading& reading);
Tensor parse_npy(std::span<const std::byte> bytes, const Limits& limits = {});
/// The file's bytes, version 1.0. Element types that NumPy lacks are widened. Throws not_supported
/// for strings that end in a zero byte, which NumPy's fixed-width strings take for padding.
std::string format_npy(const Tensor& tensor);
void save_npy(const std::filesystem::path& path, const Tensor& tensor);
/// The tensor itself, or its exact copy in a type that NumPy has: f32 for bf16, float8 and float4,
/// 8-bit integers for 4-bit ones.
Tensor widen_for_numpy(const Tensor& tensor);

/// All members "<name>.npy" in archive order. Refuses bombs, traversal names and duplicates; throws
/// as load_npy().
NamedValues load_npz(const std::filesystem::path& path, const Limits& limits = {});
/// Those that `reading` wants, in archive order. Throws what `reading.wants` throws, cancelled.
NamedValues load_npz(const std::filesystem::path& path, const ArrayReading& reading);
/// The headers of all members, in archive order; nothing else is unpacked. Throws as load_npz().
std::vector<ArrayHeader> npz_headers(const std::filesystem::path& path,
                                     const ArrayReading& reading = {});
/// Stored (not deflated), atomic. Throws not_supported for values that are no tensors,
/// invalid_input for two of a name.
void save_npz(const std::filesystem::path& path, const NamedValues& values);

/// What is made of pixels.
struct ImageOptions {
    /// Channels before or behind height and width.
    enum class Layout { nchw, nhwc };
    Layout layout = Layout::nchw;          // of the tensor
    std::array<float, 3> mean{0, 0, 0};    // subtracted per channel after scaling to 0..255
    std::array<float, 3> stddev{1, 1, 1};  // divides
    bool bgr = false;                      // order of the channels; else RGB
    /// True when the user chose mean and deviation, even if they change nothing.
    bool scale_chosen = false;
    /// Crops to the middle. A picture: the largest part with the proportions of the input, times
    /// this share, is resized. An array larger than the input: a middle part of the input's size is
    /// taken. 0: no cropping; pictures are stretched and arrays have to fit.
    double crop = 0;
    /// Order of dimensions of arrays in files. Empty: that of the input, or the other one where
    /// only that one fits.
    std::optional<Layout> array_layout;
    friend bool operator==(const ImageOptions&, const ImageOptions&) = default;
};

/// Of a picture.
struct ImageSize {
    std::int64_t width = 0, height = 0;  // pixels
};

/// Decodes PNG or JPEG and resizes (bilinear) to the height and width of `shape` ([1,C,H,W] or
/// [1,H,W,C], C 1 or 3; negative: keep the image's) as `dtype` (f32, f16, u8), after
/// ImageOptions::crop. `original`: takes the size in the file. Throws invalid_input, not_supported
/// (element type, CMYK image), limit_exceeded, io_failure, cancelled.
Tensor load_image(const std::filesystem::path& path, const Shape& shape, DType dtype,
                  const ImageOptions& options = {}, const Limits& limits = {},
                  ImageSize* original = nullptr, const CancelToken& cancel = {});

}  // namespace lapidary

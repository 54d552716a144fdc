// SPDX-License-Identifier: Apache-2.0
// What values a model's tensors take on sample inputs, and the range of each that is worth
// quantizing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary {

/// What of a source mean and deviation are applied to: nothing, pictures and bytes (0 to 255), or
/// floats of the shape of pictures, which may be pixels or what was made of them.
enum class PixelKind : std::uint8_t { none, bytes, floats };
/// The first input of floats that takes pixels.
struct SamplePixels {
    PixelKind kind = PixelKind::none;  // of what the files hold
    std::string input;                 // its name; empty: there is none
};

/// Sample inputs of a model, read one at a time.
class SampleSource {
public:
    virtual ~SampleSource() = default;
    virtual std::size_t size() const = 0;  // how many samples there are
    /// Inputs by name. Throws invalid_input or io_failure naming the file, cancelled.
    virtual NamedValues at(std::size_t index, const CancelToken& cancel = {}) const = 0;
    /// How a user finds it again: the file's name, "sample 3".
    virtual std::string name(std::size_t index) const {
        return "sample " + std::to_string(index + 1);
    }
    /// What the user should know of where the samples come from.
    virtual std::vector<std::string> warnings() const { return {}; }
    /// Of the first sample that can be read. Throws cancelled.
    virtual SamplePixels pixels(const CancelToken& = {}) const { return {}; }
    /// The same samples with other numbers made of pixels, without reading anything again; null:
    /// there are no pixels.
    virtual std::shared_ptr<const SampleSource> with_pixels(const ImageOptions&) const {
        return nullptr;
    }
};
/// Shared by what reads it, from several threads.
using SampleSourcePtr = std::shared_ptr<const SampleSource>;

/// Inputs that are there already.
SampleSourcePtr given_samples(std::vector<NamedValues> samples);
/// generate_inputs() with seeds from `seed` on. Warns: ranges of made-up inputs are not those of
/// real ones.
SampleSourcePtr generated_samples(ModelPtr model, std::size_t count, std::uint64_t seed);
/// A folder: each .npz one sample (members named as the inputs), each folder in it one sample of
/// input_0.pb, input_1.pb
/// ..., each .npy or .pb one sample of a model with one input, each PNG or JPEG one of a model with
/// one input of four dimensions, read as load_image() does (channels first unless only the last
/// dimension can be colours); by name, in order. Or one file: an .npz or .npy whose arrays stand
/// for several samples, one behind the other along their first dimension, gives that many; of a
/// model with one input also "FILE.npz:ARRAY", or an .npz in which one array fits the input, as
/// array_samples() takes them. Floats of another width become those of the input, integers too
/// where they fit, and pixels become numbers, as array_samples() has it. An array that does not fit
/// its input is refused before memory is taken for it. Throws invalid_input when nothing in it is a
/// sample, cancelled.
SampleSourcePtr folder_samples(const Model& model, const std::filesystem::path& path,
                               const ImageOptions& images = {}, const CancelToken& cancel = {});
/// The first sample that can be read; empty if none can, which is reported where samples are
/// judged. Throws cancelled.
NamedValues first_readable_sample(const SampleSource& samples, const CancelToken& cancel = {});
/// Every `period`-th sample of the source, starting with `first`; with `others` all but those.
SampleSourcePtr every_nth(SampleSourcePtr source, std::size_t period, std::size_t first,
                          bool others = false);

constexpr std::size_t evaluation_period = 5;  // of samples: the last of so many gives no range

/// Samples that give ranges and those that judge the result: four of five and the fifth. Where
/// there is one sample, both.
struct SampleSplit {
    SampleSourcePtr calibration_samples, evaluation_samples;  // never null
};
// of the `evaluation_period` splits
SampleSplit split_samples(const SampleSourcePtr& samples, std::size_t which = 0);

/// How a range is chosen of what was observed: see choose_range().
enum class RangeMethod : std::uint8_t { minmax, percentile, entropy, mse };
std::string_view name_of(RangeMethod method);  // "minmax", "percentile", "entropy", "mse"
/// Nothing for another name.
std::optional<RangeMethod> range_method_from_name(std::string_view name);

/// A value to watch, with the axis whose indices are its channels: 1 in front of convolutions, -1
/// in front of products.
struct WatchedValue {
    std::string name;                // of the value in the model
    std::int64_t channel_axis = -1;  // counted from the end where negative
};

/// How many samples are looked at, and what of them.
struct CalibrationOptions {
    std::size_t most_samples = 0;  // 0: all
    /// Keeps low and high as moving averages over the samples.
    double moving_average =
        /// share of each new sample in low and high; 0: the extremes of all (ORT's constant: 0.01)
        0;
    double settled_change = 0.01;  // share of its width that a range may have moved ...
    /// ... over so many samples to count as settled; 0: no early stop
    std::size_t settled_samples = 8;
    /// a second run over the samples; without, ranges are those of minmax
    bool histograms = true;
    int threads = 0;  // 0: one per core that this process may use
    friend bool operator==(const CalibrationOptions&, const CalibrationOptions&) = default;
};

constexpr std::size_t histogram_bins = 2048;  // of ObservedTensor::histogram

/// f32 values of one tensor over all samples. Memory does not depend on their number.
struct ObservedTensor {
    std::string name;         // as watched
    float low = 0, high = 0;  // of finite elements; averaged when asked for
    /// over all samples; NaN and infinities are not among the figures below
    std::uint64_t elements = 0, not_finite = 0;
    double square_sum = 0;  // of finite elements
    /// empty when the number of channels differs between samples
    std::vector<double> channel_mean;
    std::vector<float> channel_peak;               // largest magnitude
    std::vector<double> channel_zero;              // share of elements that are 0
    std::vector<double> channel_square;            // mean of the squares
    std::vector<float> channel_low, channel_high;  // least and greatest element
    /// of [min(low, 0), max(high, 0)]; empty without a second run
    std::vector<std::uint64_t> histogram;

    float bottom() const { return low < 0 ? low : 0; }  // where the histogram begins
    float top() const { return high > 0 ? high : 0; }   // where it ends
};

/// What was observed.
struct Calibration {
    /// in the order asked for, without those that no sample filled
    std::vector<ObservedTensor> tensors;
    std::size_t samples = 0;            // looked at
    bool settled = false;               // stopped early: ranges did not move any more
    std::vector<std::string> warnings;  // a sentence each

    /// Null when it was not watched or never filled.
    const ObservedTensor* find(std::string_view name) const;
};

/// Runs the model, its nodes as they stand, over the samples and looks at the watched values.
/// Samples that cannot be read or run are left out with a warning each, for the first few. Throws
/// invalid_input when no sample could be run, cancelled.
Calibration calibrate(ModelPtr model, const SampleSource& samples,
                      const std::vector<WatchedValue>& values,
                      const CalibrationOptions& options = {}, const Progress& progress = {});

/// How a range is chosen.
struct RangeOptions {
    RangeMethod method = RangeMethod::mse;  // see choose_range()
    double percentile = 99.999;  // of elements kept; half of the others is cut off at either end
    double exponent = 2.4;       // of the error that mse sums up; 2 clips too much
    int levels = 256;            // of the type to be stored
    bool symmetric = false;      // about 0
    double headroom = 0;         // share by which each end is moved away from 0, 0 to 1
};

/// Both ends belong to it.
struct RealRange {
    float low = 0, high = 0;  // low <= high
};

/// minmax: [low, high]. percentile: cut at the histogram. entropy: the range whose quantized
/// histogram has the smallest Kullback-Leibler divergence from the whole one. mse: least sum of
/// |error|^exponent over the histogram, both ends scaled, then each alone (Banner et al. 2019). All
/// but minmax hold 0 and need the histogram, else they are minmax. Throws invalid_input for options
/// that are out of their bounds.
RealRange choose_range(const ObservedTensor& tensor, const RangeOptions& options = {});

}  // namespace lapidary

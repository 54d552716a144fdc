// SPDX-License-Identifier: Apache-2.0
// Calibration: the values that tensors take on sample inputs, and the range of each to quantize.
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

/// The contents of a source that mean and deviation are applied to: none; pictures and bytes (0 to
/// 255); or floats with the shape of pictures, which are pixels or were already computed from some.
enum class PixelKind : std::uint8_t { none, bytes, floats };
/// The first float input that takes pixels.
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
    /// A name by which the user can find the sample: that of its file, or "sample 3".
    virtual std::string name(std::size_t index) const {
        return "sample " + std::to_string(index + 1);
    }
    /// What the user should know of where the samples come from.
    virtual std::vector<std::string> warnings() const { return {}; }
    /// Those of the first sample that can be read. Throws cancelled.
    virtual SamplePixels pixels(const CancelToken& = {}) const { return {}; }
    /// The same samples with pixels converted by other options. Reads nothing again. Null: there
    /// are no pixels.
    virtual std::shared_ptr<const SampleSource> with_pixels(const ImageOptions&) const {
        return nullptr;
    }
};
/// Shared by what reads it, from several threads.
using SampleSourcePtr = std::shared_ptr<const SampleSource>;

/// Samples that are in memory already.
SampleSourcePtr given_samples(std::vector<NamedValues> samples);
/// Inputs of generate_inputs() with the seeds `seed`, `seed` + 1 ... Warns that generated inputs do
/// not have the ranges of real ones.
SampleSourcePtr generated_samples(ModelPtr model, std::size_t count, std::uint64_t seed);
/// Samples from a folder or a file.
///
/// In a folder, sorted by name, one sample is: an .npz whose members are named as the inputs; a
/// folder of input_0.pb, input_1.pb ...; for a model with one input a .npy or .pb; for a model with
/// one input of four dimensions a PNG or JPEG, read by load_image() (channels first, unless only
/// the last dimension can be colours).
///
/// A file is an .npz or .npy whose arrays hold several samples along their first dimension. For a
/// model with one input also "FILE.npz:ARRAY", or an .npz in which one array fits the input; see
/// array_samples().
///
/// Floats of another width are converted to the type of the input, integers too where they fit, and
/// pixels as array_samples() says. An array that does not fit its input is refused before memory is
/// taken for it. Throws invalid_input when nothing in it is a
/// sample, cancelled.
SampleSourcePtr folder_samples(const Model& model, const std::filesystem::path& path,
                               const ImageOptions& images = {}, const CancelToken& cancel = {});
/// The first sample that can be read. Empty if none can: the evaluation of the samples reports
/// that. Throws cancelled.
NamedValues first_readable_sample(const SampleSource& samples, const CancelToken& cancel = {});
/// Every `period`-th sample of the source, starting with `first`; with `others` all but those.
SampleSourcePtr every_nth(SampleSourcePtr source, std::size_t period, std::size_t first,
                          bool others = false);

/// Of so many samples the last is an evaluation sample.
constexpr std::size_t evaluation_period = 5;

/// Samples that ranges are calibrated on, and samples that the result is evaluated on: four of five
/// and the fifth. A single sample is used for both.
struct SampleSplit {
    SampleSourcePtr calibration_samples, evaluation_samples;  // never null
};
/// `which`: one of the `evaluation_period` possible splits.
SampleSplit split_samples(const SampleSourcePtr& samples, std::size_t which = 0);

/// How a range is chosen from the observed values: see choose_range().
enum class RangeMethod : std::uint8_t { minmax, percentile, entropy, mse };
std::string_view name_of(RangeMethod method);  // "minmax", "percentile", "entropy", "mse"
/// Nothing for another name.
std::optional<RangeMethod> range_method_from_name(std::string_view name);

/// A value to observe, with the axis of its channels: 1 for inputs of convolutions, -1 for inputs
/// of products.
struct WatchedValue {
    std::string name;                // of the value in the model
    std::int64_t channel_axis = -1;  // counted from the end where negative
};

/// How many samples are used, and what is observed.
struct CalibrationOptions {
    std::size_t most_samples = 0;  // 0: all
    /// Keeps low and high as moving averages over the samples: share of each new sample in them.
    /// 0: they are the extremes of all samples. ONNX Runtime uses 0.01.
    double moving_average = 0;
    /// Calibration stops early when no range grew by more than `settled_change` of its width over
    /// the last `settled_samples` samples. 0 samples: it does not stop early.
    double settled_change = 0.01;
    std::size_t settled_samples = 8;
    /// Run the samples a second time for histograms. Without, ranges are chosen by minmax.
    bool histograms = true;
    int threads = 0;  // 0: one per core that this process may use
    friend bool operator==(const CalibrationOptions&, const CalibrationOptions&) = default;
};

constexpr std::size_t histogram_bins = 2048;  // of ObservedTensor::histogram

/// f32 values of one tensor over all samples. Memory does not depend on their number.
struct ObservedTensor {
    std::string name;         // as watched
    float low = 0, high = 0;  // of finite elements; or their moving averages
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
    /// in the order requested, without values that were empty in all samples
    std::vector<ObservedTensor> tensors;
    std::size_t samples = 0;            // looked at
    bool settled = false;               // stopped early: ranges did not move any more
    std::vector<std::string> warnings;  // a sentence each

    /// Null if it was not observed, or empty in all samples.
    const ObservedTensor* find(std::string_view name) const;
};

/// Runs the model over the samples, without optimizing it, and observes the values. Samples that
/// cannot be read or run are left out; the first few of them get a warning each. Throws
/// invalid_input when no sample could be run, cancelled.
Calibration calibrate(ModelPtr model, const SampleSource& samples,
                      const std::vector<WatchedValue>& values,
                      const CalibrationOptions& options = {}, const Progress& progress = {});

/// How a range is chosen.
struct RangeOptions {
    RangeMethod method = RangeMethod::mse;  // see choose_range()
    /// percentage of elements kept; half of the others is cut off at either end
    double percentile = 99.999;
    double exponent = 2.4;   // power of the error that mse sums up; 2 clips too much
    int levels = 256;        // of the integer type
    bool symmetric = false;  // about 0
    double headroom = 0;     // share by which each end is moved away from 0, 0 to 1
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

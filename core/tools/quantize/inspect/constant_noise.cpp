// SPDX-License-Identifier: Apache-2.0
#include "quantize/inspect/constant_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>

#include "graph/copy_model.h"
#include "quantize/quantized_operator.h"

namespace lapidary {
namespace {

/// The elements; logits less the mean of their row.
std::vector<float> elements_of(const Tensor& tensor, bool is_logits) {
    const std::vector<double> values = to_doubles(tensor);
    std::vector<float> elements(values.begin(), values.end());
    if (!is_logits || tensor.rank() < 1 || tensor.size() == 0) return elements;
    const auto width = static_cast<std::size_t>(tensor.shape().back());
    for (std::size_t row = 0; row < elements.size(); row += width) {
        double mean = 0;
        for (std::size_t i = row; i < row + width; ++i)
            mean += values[i] / static_cast<double>(width);
        for (std::size_t i = row; i < row + width; ++i)
            elements[i] = static_cast<float>(values[i] - mean);
    }
    return elements;
}

}  // namespace

ConstantNoise::ConstantNoise(const Model& model, const SampleSource& samples, std::size_t most,
                             int threads, Progress progress)
    : model_(model), threads_(threads), progress_(std::move(progress)) {
    for (std::size_t i = 0; i < samples.size() && samples_.size() < most; ++i) try {
            samples_.push_back(samples.at(i, progress_.cancel));
        } catch (const Error& error) {  // calibration reports samples that cannot be read
            if (error.code() == ErrorCode::cancelled) throw;
        }
    for (const ValueId id : model.graph.outputs())
        if (is_f32(model.graph, id)) names_.push_back(model.graph.value(id).name);
    if (std::ranges::find(names_, "logits") != names_.end()) names_ = {"logits"};
    expected_ = outputs_of(model_);
}

ConstantNoise::Outputs ConstantNoise::outputs_of(const Model& model) const {
    SessionOptions compiling;
    compiling.resources.threads = threads_;
    const Progress quiet{progress_.cancel, {}};
    Session session = Session::compile(
        std::make_shared<const Model>(copy_model(model, progress_.cancel)), compiling, quiet);
    RunOptions running;
    running.cancel = progress_.cancel;
    Outputs found;
    for (const NamedValues& sample : samples_) try {
            const RunResult result = session.run(sample, running);
            for (const std::string& name : names_) {
                const auto output =
                    std::ranges::find(result.outputs, name, &NamedValues::value_type::first);
                found.values.push_back(output != result.outputs.end() && output->second.is_tensor()
                                           ? elements_of(output->second.tensor(), name == "logits")
                                           : std::vector<float>());
            }
        } catch (const Error& error) {  // one that does not run judges nothing
            if (error.code() == ErrorCode::cancelled) throw;
            found.values.resize(found.values.size() + names_.size());
        }
    return found;
}

bool ConstantNoise::is_known() const {
    double sum = 0;
    for (const std::vector<float>& output : expected_.values)
        for (const float value : output) sum += static_cast<double>(value) * value;
    return std::isfinite(sum) && sum > 0;
}

double ConstantNoise::of(const std::string& constant, const Tensor& value) const {
    Model changed = copy_model(model_, progress_.cancel);
    {
        GraphEdit edit(changed.graph, "constant_noise");
        edit.set_constant(changed.graph.find_value(constant), value);
        edit.finish();
    }
    const Outputs found = outputs_of(changed);
    const std::size_t outputs = names_.size();
    std::vector<double> noise(outputs, 0), size(outputs, 0);
    for (std::size_t i = 0; i < expected_.values.size(); ++i)
        for (std::size_t k = 0; k < expected_.values[i].size(); ++k) {
            const double expected = expected_.values[i][k];
            const double off =
                k < found.values[i].size() ? expected - found.values[i][k] : expected;
            noise[i % outputs] += off * off;
            size[i % outputs] += expected * expected;
        }
    double mean = 0;
    for (std::size_t i = 0; i < outputs; ++i)
        if (size[i] > 0) mean += noise[i] / size[i] / static_cast<double>(outputs);
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::infinity();
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "quantize/inspect/output_errors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

constexpr std::size_t most_elements = 1 << 14;  // in all

std::vector<float> some_of(const Tensor& tensor, std::size_t most) {
    const std::vector<double> values = to_doubles(tensor);
    std::vector<float> some;
    const std::size_t step =
        std::max<std::size_t>(1, values.size() / std::max<std::size_t>(1, most));
    for (std::size_t i = 0; i < values.size(); i += step)
        some.push_back(std::isfinite(values[i]) ? static_cast<float>(values[i]) : 0);
    return some;
}

}  // namespace

OutputErrors::OutputErrors(const Model& original, SampleSourcePtr samples, int threads,
                           Progress progress)
    : samples_(std::move(samples)), threads_(threads), progress_(std::move(progress)),
      expected_(outputs_of(original)) {}

std::vector<std::vector<float>> OutputErrors::outputs_of(const Model& model) const {
    OptimizeOptions optimizing;
    optimizing.near_misses = false;
    SessionOptions compiling;
    compiling.resources.threads = threads_;
    const Progress quiet{progress_.cancel, {}};
    Session session = Session::compile(
        std::make_shared<const Model>(optimize(model, optimizing, quiet).model), compiling, quiet);
    RunOptions running;
    running.cancel = progress_.cancel;
    const std::size_t places = samples_->size() * model.graph.outputs().size();
    std::vector<std::vector<float>> found;
    for (std::size_t i = 0; i < samples_->size(); ++i) try {
            const RunResult result = session.run(samples_->at(i, progress_.cancel), running);
            for (const auto& [name, value] : result.outputs)
                found.push_back(
                    value.is_tensor() && is_float(value.tensor().dtype())
                        ? some_of(value.tensor(), most_elements / std::max<std::size_t>(1, places))
                        : std::vector<float>());
        } catch (const Error& error) {  // evaluation reports samples that do not run
            if (error.code() == ErrorCode::cancelled) throw;
        }
    return found;
}

std::vector<float> OutputErrors::of(const Model& quantized) const {
    const std::vector<std::vector<float>> found = outputs_of(quantized);
    std::vector<float> errors;
    if (found.size() != expected_.size()) return errors;
    const std::size_t outputs = std::max<std::size_t>(1, quantized.graph.outputs().size());
    std::vector<double> sizes(outputs, 0);
    for (std::size_t i = 0; i < expected_.size(); ++i)
        for (const float v : expected_[i]) sizes[i % outputs] += static_cast<double>(v) * v;
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        const double size = std::sqrt(sizes[i % outputs]);
        for (std::size_t k = 0; k < expected_[i].size(); ++k) {
            const double off =
                k < found[i].size() && size > 0 ? (expected_[i][k] - found[i][k]) / size : 0;
            errors.push_back(static_cast<float>(off));
        }
    }
    return errors;
}

double cosine_similarity(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return 0;
    double product = 0, first = 0, second = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += static_cast<double>(a[i]) * b[i];
        first += static_cast<double>(a[i]) * a[i];
        second += static_cast<double>(b[i]) * b[i];
    }
    return first > 0 && second > 0 ? product / std::sqrt(first * second) : 0;
}

}  // namespace lapidary

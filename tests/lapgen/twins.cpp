// SPDX-License-Identifier: Apache-2.0
#include "lapgen/twins.h"

#include <array>
#include <memory>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary::lapgen {
namespace {

QuantizeOptions dynamic() { return {.mode = QuantizeMode::dynamic}; }
QuantizeOptions half() { return {.mode = QuantizeMode::half}; }
QuantizeOptions pairs(StaticPlacement placement = StaticPlacement::benefit) {
    return {.mode = QuantizeMode::static_qdq, .placement = placement};
}
QuantizeOptions operators(StaticPlacement placement = StaticPlacement::benefit) {
    return {.mode = QuantizeMode::static_qdq,
            .static_form = StaticForm::operators,
            .placement = placement};
}

}  // namespace

std::optional<Twin> twin_of(const GeneratedModel& generated, std::uint64_t turn) {
    const std::vector<std::vector<QuantizeOptions>> recipes{
        {operators()},
        {pairs()},
        {dynamic()},
        {half()},
        {pairs(StaticPlacement::onnxruntime)},
        {pairs(), half()},
        {operators(StaticPlacement::onnxruntime)},
        {dynamic(), half()},
        {half(), dynamic()}};
    Twin twin{{}, generated.model};
    try {
        for (const QuantizeOptions& options : recipes[turn % recipes.size()]) {
            const auto samples =
                generated_samples(std::make_shared<const Model>(twin.model), 2, turn + 1);
            QuantizeResult made = quantize_model(twin.model, options, samples.get());
            twin.model = std::move(made.model);
            twin.quantized += made.quantized;
            twin.made += (twin.made.empty() ? "" : ", then ") + std::string(name_of(options.mode));
        }
    } catch (const Error& error) {
        if (error.code() == ErrorCode::internal) throw;
        return std::nullopt;
    }
    return twin;
}

}  // namespace lapidary::lapgen

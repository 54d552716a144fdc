// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/chain_program.h"

#include <algorithm>
#include <array>

#include <lapidary/base/error.h>

namespace lapidary {

std::vector<Attribute> ChainProgram::attributes() const {
    std::vector<std::int64_t> words;
    std::vector<float> parameters;
    for (const Step& s : steps) {
        words.insert(words.end(), {s.is_binary, s.kind, s.a, s.b});
        parameters.insert(parameters.end(), {s.alpha, s.beta});
    }
    return {{"steps", std::move(words), {}, {}}, {"parameters", std::move(parameters), {}, {}}};
}

std::optional<std::vector<int>> ChainProgram::places() const {
    std::vector<std::size_t> last_use(steps.size(), 0);
    const auto note = [&](std::int32_t operand, std::size_t step) {
        if (operand < 0) last_use[static_cast<std::size_t>(-1 - operand)] = step;
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        note(steps[i].a, i);
        if (steps[i].is_binary) note(steps[i].b, i);
    }
    std::vector<int> place(steps.size(), -1);
    std::array<bool, registers> taken{};
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        // a result that is read for the last time frees its register for this step's result
        for (std::size_t s = 0; s < i; ++s)
            if (last_use[s] == i) taken[static_cast<std::size_t>(place[s])] = false;
        const auto free = std::ranges::find(taken, false);
        if (free == taken.end()) return std::nullopt;
        *free = true;
        place[i] = static_cast<int>(free - taken.begin());
    }
    return place;
}

ChainProgram ChainProgram::of(const Node& node) {
    const auto words = node.ints_attribute("steps");
    const auto parameters = node.floats_attribute("parameters");
    ChainProgram program;
    const auto require = [](bool holds) {
        if (!holds)
            fail_model("attributes steps and parameters are no chain of elementwise functions");
    };
    require(!words.empty() && words.size() % 4 == 0 && words.size() / 4 <= max_steps &&
            parameters.size() * 2 == words.size() && node.inputs.size() <= max_inputs);
    for (std::size_t i = 0; i < words.size() / 4; ++i) {
        const std::int64_t* w = words.data() + 4 * i;
        const auto is_operand = [&](std::int64_t operand, bool may_be_constant) {
            if (operand == constant) return may_be_constant;
            if (operand < 0) return operand >= -static_cast<std::int64_t>(i);
            return operand < static_cast<std::int64_t>(node.inputs.size()) &&
                   node.inputs[static_cast<std::size_t>(operand)];
        };
        const bool is_binary = w[0] != 0;
        require(w[1] >= 0 &&
                w[1] < static_cast<std::int64_t>(is_binary ? static_cast<int>(BinaryKind::count)
                                                           : static_cast<int>(UnaryKind::count)));
        require(is_operand(w[2], is_binary) &&
                (!is_binary || (is_operand(w[3], true) && (w[2] != constant || w[3] != constant))));
        program.steps.push_back({is_binary, static_cast<std::uint8_t>(w[1]),
                                 static_cast<std::int32_t>(w[2]), static_cast<std::int32_t>(w[3]),
                                 parameters[2 * i], parameters[2 * i + 1]});
    }
    return program;
}

}  // namespace lapidary

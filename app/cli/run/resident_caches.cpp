// SPDX-License-Identifier: Apache-2.0
#include "cli/run/resident_caches.h"

#include <algorithm>
#include <ostream>
#include <span>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

CachePair pair_of(const std::string& text) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        fail_input("--resident: expected auto or OUTPUT=INPUT, found " + quote(text));
    return {text.substr(0, at), text.substr(at + 1)};
}

void require(std::span<const ValueId> among, const Graph& graph, const std::string& name,
             const char* kind) {
    const auto has_name = [&](ValueId id) { return graph.value(id).name == name; };
    if (std::ranges::none_of(among, has_name))
        fail_input(fmt::format("--resident: the model has no {} {}", kind, quote(name)));
}

}  // namespace

void add_resident(OptionList& options, std::vector<std::string>& wanted) {
    options
        .value("--resident", "auto|OUT=IN,...", wanted,
               "Keep caches on the device between runs: outputs present* with their inputs past*, "
               "or the pairs named")
        .separated_by_commas();
}

ResidentCaches ResidentCaches::of(const Model& model, const std::vector<std::string>& wanted) {
    ResidentCaches caches;
    if (wanted.empty()) return caches;
    if (wanted == std::vector<std::string>{"auto"}) {
        caches.pairs = find_cache_pairs(model);
        if (caches.pairs.empty())
            fail_input(
                "--resident auto: the model has no output present* with an input past* of the same "
                "name, "
                "element type and rank; expected such a model, or pairs OUTPUT=INPUT");
        return caches;
    }
    for (const std::string& text : wanted) {
        caches.pairs.push_back(pair_of(text));
        require(model.graph.outputs(), model.graph, caches.pairs.back().output, "output");
        require(model.graph.inputs(), model.graph, caches.pairs.back().input, "input");
    }
    return caches;
}

NamedValues ResidentCaches::keep(Session& session, const NamedValues& inputs,
                                 RunOptions& options) const {
    NamedValues others;
    for (const auto& [name, value] : inputs) {
        if (std::ranges::find(pairs, name, &CachePair::input) == pairs.end() || !value.is_tensor())
            others.emplace_back(name, value);
        else options.device_inputs.push_back({name, session.to_device(name, value.tensor())});
    }
    for (const CachePair& pair : pairs) options.resident_outputs.push_back(pair.output);
    return others;
}

void ResidentCaches::take(RunResult& result) {
    not_resident = result.not_resident;
    copied = result.copied;
    for (const NamedDeviceValue& resident : result.residents)
        for (auto& [name, value] : result.outputs)
            if (name == resident.name) value = resident.value.to_host();
    result.residents
        .clear();  // releases the memory, so that later runs can use it again and be replayed
}

Json ResidentCaches::json() const {
    Json json = {{"pairs", Json::array()},
                 {"not_resident", Json::array()},
                 {"to_device_bytes", copied.to_device},
                 {"to_host_bytes", copied.to_host},
                 {"growing", growing.json()}};
    for (const CachePair& pair : pairs)
        json["pairs"].push_back({{"output", pair.output}, {"input", pair.input}});
    for (const NotResident& value : not_resident)
        json["not_resident"].push_back({{"name", value.name}, {"reason", value.reason}});
    return json;
}

void ResidentCaches::print(std::ostream& out) const {
    out << fmt::format(
        "caches to keep on the device: {} ({} for {}{}); a run copies {} bytes there and {} back\n",
        pairs.size(), plain(pairs.front().output), plain(pairs.front().input),
        pairs.size() > 1 ? " ..." : "", copied.to_device, copied.to_host);
    for (const NotResident& value : not_resident)
        out << fmt::format("  {} does not: {}\n", plain(value.name), plain(value.reason));
    out << "  " << growing.text() << '\n';
}

}  // namespace lapidary::cli

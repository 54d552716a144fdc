// SPDX-License-Identifier: Apache-2.0
#include "cli/output/json_output.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <lapidary/report/tensor_statistics.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t listed_items = 100;

Json json_elements(const Tensor& tensor) {
    Json list = Json::array();
    if (tensor.dtype() == DType::string) {
        for (const std::string& s : tensor.data<std::string>()) list.push_back(s);
    } else if (tensor.dtype() == DType::complex64 || tensor.dtype() == DType::complex128) {
        for (const std::string& s : element_texts(tensor)) list.push_back(s);
    } else if (tensor.dtype() == DType::u64) {
        for (const std::uint64_t v : tensor.data<std::uint64_t>()) list.push_back(v);
    } else if (tensor.dtype() == DType::boolean) {
        for (const bool v : tensor.data<bool>()) list.push_back(v);
    } else if (is_integer(tensor.dtype())) {
        for (const std::int64_t v : to_int64s(tensor)) list.push_back(v);
    } else {
        for (const double v : to_doubles(tensor)) list.push_back(json_number(v));
    }
    return list;
}

Json json_tensor(const Tensor& tensor, const CancelToken& cancel) {
    Json json = {{"kind", "tensor"},
                 {"element_type", name_of(tensor.dtype())},
                 {"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
                 {"elements", tensor.size()}};
    json["values"] = json_elements(first_elements(tensor, shown_elements));
    if (!has_statistics(tensor)) return json;
    const TensorStatistics s = statistics_of(tensor, 1, cancel);
    json["statistics"] = {{"minimum", json_number(s.minimum)},
                          {"maximum", json_number(s.maximum)},
                          {"mean", json_number(s.mean)},
                          {"stddev", json_number(s.stddev)},
                          {"zeros", s.zeros},
                          {"nans", s.nans},
                          {"infinities", s.infinities}};
    return json;
}

const char* kind_name(Type::Kind kind) {
    switch (kind) {
    case Type::Kind::tensor: return "tensor";
    case Type::Kind::sparse_tensor: return "sparse_tensor";
    case Type::Kind::sequence: return "sequence";
    case Type::Kind::optional: return "optional";
    case Type::Kind::map: return "map";
    case Type::Kind::unknown: break;
    }
    return "unknown";
}

}  // namespace

Json json_number(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json json_type(const Type& type) {
    Json json = {{"kind", kind_name(type.kind)}, {"type", to_string(type)}};
    if (type.dtype != DType::undefined) json["element_type"] = name_of(type.dtype);
    if (type.shape) {
        json["shape"] = Json::array();
        for (const Dim& dim : *type.shape) {
            if (dim.is_known()) json["shape"].push_back(dim.value());
            else if (dim.is_symbolic()) json["shape"].push_back(dim.symbol());
            else json["shape"].push_back(nullptr);
        }
    }
    return json;
}

Json json_value(const RuntimeValue& value, const CancelToken& cancel) {
    if (value.is_tensor()) return json_tensor(value.tensor(), cancel);
    if (value.is_sequence()) {
        const auto& items = value.sequence().items;
        Json json = {{"kind", "sequence"}, {"length", items.size()}, {"items", Json::array()}};
        for (std::size_t i = 0; i < std::min(items.size(), listed_items); ++i)
            json["items"].push_back(json_value(items[i], cancel));
        return json;
    }
    if (value.is_map()) {
        const Map& map = value.map();
        Json json = {{"kind", "map"},
                     {"length", std::max(map.int_keys.size(), map.string_keys.size())}};
        json["keys"] = map.int_keys.empty() ? Json(map.string_keys) : Json(map.int_keys);
        json["values"] = json_elements(map.values);
        return json;
    }
    return {{"kind", "empty"}};
}

Json json_error(const Error& error) {
    return {{"error",
             {{"code", name_of(error.code())},
              {"message", error.message()},
              {"where", error.where()}}}};
}

void write_json(std::ostream& out, const Json& json) { out << json.dump(2) << '\n'; }

}  // namespace lapidary::cli

// SPDX-License-Identifier: Apache-2.0
#include "custom_ops/api_table.h"

#include <array>

namespace lapidary::custom_ops {
namespace {

constexpr const char* slot_names[] = {
#include "custom_ops/slot_names.inc"
};

thread_local std::exception_ptr api_failure;

/// Stands in for each function that is not provided, whatever its parameters are.
template <std::size_t Slot>
Status* refuse() noexcept {
    return guarded([]() -> Status* {
        fail_unsupported(
            "it calls " + slot_name(Slot) +
            " of ONNX Runtime's interface, which this program does not offer to custom operators");
    });
}

}  // namespace

std::string slot_name(std::size_t slot) {
    return slot < std::size(slot_names) ? slot_names[slot] : "slot " + std::to_string(slot);
}

std::exception_ptr take_api_failure() { return std::exchange(api_failure, nullptr); }

void keep_api_failure(std::exception_ptr failure) {
    if (!api_failure) api_failure = std::move(failure);
}

Status* make_status(int code, std::string text) { return new Status{code, std::move(text)}; }

template <std::size_t... I>
void ApiTable::fill(std::index_sequence<I...>) {
    ((functions_[I] = reinterpret_cast<void*>(&refuse<I>)), ...);
}

ApiTable::ApiTable() {
    fill(std::make_index_sequence<slots>());
    put_status_functions(*this);
    put_registration_functions(*this);
    put_tensor_functions(*this);
    put_string_functions(*this);
    put_type_functions(*this);
    put_memory_functions(*this);
    put_kernel_info_functions(*this);
    put_run_functions(*this);
    put_inference_functions(*this);
}

const void* api_table() {
    static const ApiTable table;
    return table.functions();
}

const ApiBase& api_base() {
    static const ApiBase base{[](std::uint32_t) noexcept { return api_table(); },
                              // the newest one whose functions are named
                              []() noexcept { return "1.22.0"; }};
    return base;
}

void put_status_functions(ApiTable& table) {
    table.put(
        0, +[](int code, const char* text) { return make_status(code, text ? text : ""); });
    table.put(
        1, +[](const Status* status) { return status->code; });
    table.put(
        2, +[](const Status* status) { return status->text.c_str(); });
    table.put(
        93, +[](Status* status) { delete status; });
    table.put(
        254, +[]() { return "Lapidary, for custom operators"; });
}

void put_registration_functions(ApiTable& table) {
    table.put(
        26, +[](const char* name, Domain** domain) {
            return guarded([&]() -> Status* {
                *domain = new Domain{name ? name : "", {}};
                return nullptr;
            });
        });
    table.put(
        27, +[](Domain* domain, const CustomOp* op) {
            return guarded([&]() -> Status* {
                domain->operators.push_back(op);
                return nullptr;
            });
        });
    table.put(
        28, +[](Registration* registration, Domain* domain) {
            return guarded([&]() -> Status* {
                registration->domains.push_back(domain);
                return nullptr;
            });
        });
    table.put(
        101, +[](Domain* domain) { delete domain; });
    // Libraries look up settings of the session; there are none.
    table.put(
        237, +[](const Registration*, const char*, int* found) -> Status* {
            *found = 0;
            return nullptr;
        });
}

}  // namespace lapidary::custom_ops

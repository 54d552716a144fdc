// SPDX-License-Identifier: Apache-2.0
// The table of functions (OrtApi) that custom operators get. Those that they need are implemented;
// each other one returns an error with its name.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include <lapidary/base/error.h>

#include "custom_ops/api_objects.h"

namespace lapidary::custom_ops {

/// The result of OrtGetApiBase().
struct ApiBase {
    const void* (*get_api)(std::uint32_t version) noexcept;
    const char* (*version_string)() noexcept;
};

/// For RegisterCustomOps(). The table is the same for each version that a library requests: newer
/// functions return an error.
const ApiBase& api_base();
/// For functions that create kernels.
const void* api_table();

/// The function's name in ONNX Runtime's C interface, "KernelContext_GetInput"; "slot 400" for
/// newer ones.
std::string slot_name(std::size_t slot);

/// The error of a function of the table that a library called on this thread since the last call of
/// this: an unsupported function, or an exception of the program, which must not pass through the
/// library. Null: none.
std::exception_ptr take_api_failure();
/// Keeps the first one.
void keep_api_failure(std::exception_ptr failure);

Status* make_status(int code, std::string text);

/// Runs the body of a function of the table. An exception becomes a status, and is kept.
template <typename Body>
Status* guarded(const Body& body) noexcept {
    try {
        return body();
    } catch (const std::exception& error) {
        keep_api_failure(std::current_exception());
        return make_status(code_fail, error.what());
    } catch (...) {
        keep_api_failure(std::current_exception());
        return make_status(code_fail, "unknown failure");
    }
}

/// While it is filled.
class ApiTable {
public:
    ApiTable();
    template <typename R, typename... A>
    void put(std::size_t slot, R (*function)(A...)) {
        functions_[slot] = reinterpret_cast<void*>(function);
    }
    const void* functions() const { return functions_; }

private:
    static constexpr std::size_t slots = 512;  // more than any release has
    template <std::size_t... I>
    void fill(std::index_sequence<I...>);
    void* functions_[slots];
};

// Each fills in the functions for one kind of object.
void put_status_functions(ApiTable& table);
void put_registration_functions(ApiTable& table);
void put_tensor_functions(ApiTable& table);
void put_string_functions(ApiTable& table);
void put_type_functions(ApiTable& table);
void put_memory_functions(ApiTable& table);
void put_kernel_info_functions(ApiTable& table);
void put_run_functions(ApiTable& table);
void put_inference_functions(ApiTable& table);

/// OrtCustomOpDomain
struct Domain {
    std::string name;
    std::vector<const CustomOp*> operators;
};
/// Stands for OrtSessionOptions while a library registers its operators.
struct Registration {
    std::vector<Domain*> domains;
};

}  // namespace lapidary::custom_ops

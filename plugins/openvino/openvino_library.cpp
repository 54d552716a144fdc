// SPDX-License-Identifier: Apache-2.0
#include "openvino_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ov {
namespace {

namespace fs = std::filesystem;

constexpr const char* beginning = "libopenvino_c.so";

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code status;
    for (fs::directory_iterator at(folder, status), end; !status && at != end; at.increment(status))
        found.push_back(at->path());
    std::ranges::sort(found);
    return found;
}

/// In a folder of libraries, a package, site-packages, or a virtual environment.
fs::path library_below(const fs::path& place) {
    std::error_code status;
    if (fs::is_regular_file(place, status) && place.filename().string().starts_with(beginning))
        return place;
    std::vector<fs::path> folders{place, place / "libs", place / "openvino" / "libs",
                                  place / "runtime" / "lib" / "intel64"};
    for (const fs::path& lib : entries(place / "lib"))
        if (lib.filename().string().starts_with("python3"))
            folders.push_back(lib / "site-packages" / "openvino" / "libs");
    for (const fs::path& folder : folders)
        for (const fs::path& file : entries(folder))
            if (file.filename().string().starts_with(beginning)) return file;
    return {};
}

fs::path variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

template <typename Function>
void take(void* library, Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(::dlsym(library, name));
    if (!function)
        throw Failure("OpenVINO's C library has no function " + std::string(name) +
                      ": version 2023.0 or later is needed");
}

}  // namespace

fs::path library_file() {
    if (const fs::path named = variable("LAPIDARY_OPENVINO"); !named.empty()) {
        // an interpreter stands two folders below its environment
        const bool is_python = named.filename().string().starts_with("python");
        return library_below(is_python ? named.parent_path().parent_path() : named);
    }
    const fs::path active = variable("VIRTUAL_ENV");
    return active.empty() ? fs::path() : library_below(active);
}

const Library& Library::open() {
    static const Library library;
    return library;
}

Library::Library() {
    const fs::path file = library_file();
    const std::string name = file.empty() ? beginning : file.string();
    void* const opened = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        throw Failure("OpenVINO was not found (" + std::string(::dlerror()) +
                      "); `pip install openvino` and LAPIDARY_OPENVINO, which names the "
                      "environment, make it known");
    take(opened, core_create, "ov_core_create");
    take(opened, read_model, "ov_core_read_model");
    take(opened, read_bytes, "ov_core_read_model_from_memory_buffer");
    take(opened, compile, "ov_core_compile_model");
    take(opened, inputs_size, "ov_model_inputs_size");
    take(opened, outputs_size, "ov_model_outputs_size");
    take(opened, input, "ov_model_const_input_by_index");
    take(opened, output, "ov_model_const_output_by_index");
    take(opened, port_name, "ov_port_get_any_name");
    take(opened, port_type, "ov_port_get_element_type");
    take(opened, port_shape, "ov_port_get_partial_shape");
    take(opened, create_request, "ov_compiled_model_create_infer_request");
    take(opened, set_input, "ov_infer_request_set_input_tensor_by_index");
    take(opened, get_output, "ov_infer_request_get_output_tensor_by_index");
    take(opened, infer, "ov_infer_request_infer");
    take(opened, node_times, "ov_infer_request_get_profiling_info");
    take(opened, tensor_create, "ov_tensor_create");
    take(opened, tensor_over, "ov_tensor_create_from_host_ptr");
    take(opened, tensor_type, "ov_tensor_get_element_type");
    take(opened, tensor_shape, "ov_tensor_get_shape");
    take(opened, tensor_bytes, "ov_tensor_get_byte_size");
    take(opened, tensor_data, "ov_tensor_data");
    take(opened, tensor_free, "ov_tensor_free");
    take(opened, port_free, "ov_output_const_port_free");
    take(opened, model_free, "ov_model_free");
    take(opened, compiled_free, "ov_compiled_model_free");
    take(opened, request_free, "ov_infer_request_free");
    take(opened, times_free, "ov_profiling_info_list_free");
    take(opened, shape_free, "ov_shape_free");
    take(opened, partial_shape_free, "ov_partial_shape_free");
    take(opened, free, "ov_free");
    take(opened, last_message, "ov_get_last_err_msg");
    find_types();
}

void Library::check(int status, const char* what) const {
    if (status == 0) return;
    const char* const message = last_message();
    std::string text = message ? message : "";
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    throw Failure("OpenVINO cannot " + std::string(what) +
                  (text.empty() ? ", status " + std::to_string(status) : ": " + text));
}

/// bool, bf16, f16, f32, f64, i4, i8, i16, i32, i64 stand in a row in all versions, as do u8, u16,
/// u32, u64 behind them; what stands before and between does not.
void Library::find_types() {
    constexpr std::array signed_bytes{16, 32, 32, 64, 128, 8, 16, 32, 64, 128};
    constexpr std::array signed_onnx{9, 16, 10, 1, 11, 22, 3, 5, 6, 7};
    constexpr std::array unsigned_bytes{16, 32, 64, 128};
    constexpr std::array unsigned_onnx{2, 4, 12, 13};
    constexpr int last = 48;
    std::vector<int> bytes(last, 0);
    std::int64_t sixteen = 16;
    for (int type = 0; type < last; ++type) {
        Tensor* tensor = nullptr;
        std::size_t size = 0;
        if (tensor_create(type, {1, &sixteen}, &tensor) != 0) continue;
        if (tensor_bytes(tensor, &size) == 0) bytes[static_cast<std::size_t>(type)] = int(size);
        tensor_free(tensor);
    }
    types_.assign(last, 0);
    const auto set = [&](auto from, const auto& wanted, const auto& numbers) {
        const auto at = std::search(from, bytes.end(), wanted.begin(), wanted.end());
        if (at == bytes.end()) throw Failure("OpenVINO's element types are not known here");
        std::ranges::copy(numbers, types_.begin() + (at - bytes.begin()));
        return at + static_cast<std::ptrdiff_t>(wanted.size());
    };
    set(set(bytes.begin(), signed_bytes, signed_onnx), unsigned_bytes, unsigned_onnx);
}

int Library::onnx_type(int type) const {
    return type >= 0 && type < static_cast<int>(types_.size())
               ? types_[static_cast<std::size_t>(type)]
               : 0;
}

int Library::type_of(int onnx_type) const {
    const auto at = std::ranges::find(types_, onnx_type);
    return onnx_type == 0 || at == types_.end() ? -1 : static_cast<int>(at - types_.begin());
}

}  // namespace ov

// SPDX-License-Identifier: Apache-2.0
// OpenVINO's C library, as its headers of 2023 to 2026 declare it; found at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace ov {

struct Core;
struct Model;
struct Compiled;
struct Request;
struct Tensor;
struct Port;

struct Shape {
    std::int64_t rank = 0;
    std::int64_t* dims = nullptr;
};
struct Dimension {
    std::int64_t min = 0, max = 0;  // equal: known
};
struct PartialShape {
    Dimension rank;
    Dimension* dims = nullptr;
};
struct NodeTime {
    int status = 0;  // 2: it ran
    std::int64_t real_us = 0, cpu_us = 0;
    const char *name = nullptr, *kernel = nullptr, *type = nullptr;
};
struct NodeTimes {
    NodeTime* items = nullptr;
    std::size_t count = 0;
};

/// What OpenVINO refused, in its words.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The library, once opened; it stays until the process ends.
class Library {
public:
    /// Throws Failure where it cannot be found or lacks a function.
    static const Library& open();

    int (*core_create)(Core**);
    int (*read_model)(const Core*, const char* file, const char* weights, Model**);
    int (*read_bytes)(const Core*, const char* bytes, std::size_t count, const Tensor* weights,
                      Model**);
    /// Pairs of keys and values follow; `count` is of both together.
    int (*compile)(const Core*, const Model*, const char* device, std::size_t count, Compiled**,
                   ...);
    int (*inputs_size)(const Model*, std::size_t*);
    int (*outputs_size)(const Model*, std::size_t*);
    int (*input)(const Model*, std::size_t, Port**);
    int (*output)(const Model*, std::size_t, Port**);
    int (*port_name)(const Port*, char**);
    int (*port_type)(const Port*, int*);
    int (*port_shape)(const Port*, PartialShape*);
    int (*create_request)(const Compiled*, Request**);
    int (*set_input)(Request*, std::size_t, const Tensor*);
    int (*get_output)(const Request*, std::size_t, Tensor**);
    int (*infer)(Request*);
    int (*node_times)(Request*, NodeTimes*);
    int (*tensor_create)(int type, Shape, Tensor**);
    int (*tensor_over)(int type, Shape, void*, Tensor**);
    int (*tensor_type)(const Tensor*, int*);
    int (*tensor_shape)(const Tensor*, Shape*);
    int (*tensor_bytes)(const Tensor*, std::size_t*);
    int (*tensor_data)(const Tensor*, void**);
    void (*tensor_free)(Tensor*);
    void (*port_free)(Port*);
    void (*model_free)(Model*);
    void (*compiled_free)(Compiled*);
    void (*request_free)(Request*);
    void (*times_free)(NodeTimes*);
    void (*shape_free)(Shape*);
    void (*partial_shape_free)(PartialShape*);
    void (*free)(const char*);
    const char* (*last_message)();

    /// Throws Failure with OpenVINO's message unless the status is 0.
    void check(int status, const char* what) const;

    /// ONNX's number of an element type by OpenVINO's; 0: it has none here. Their numbers differ
    /// between versions of OpenVINO, and are found by the sizes of tensors.
    int onnx_type(int type) const;
    int type_of(int onnx_type) const;  // -1: there is none

private:
    Library();
    void find_types();
    std::vector<int> types_;  // ONNX's numbers by OpenVINO's
};

/// The library's file; empty: it is left to the loader's folders. LAPIDARY_OPENVINO names it, a
/// folder, an interpreter or a virtual environment; else the active environment is searched.
std::filesystem::path library_file();

}  // namespace ov

// SPDX-License-Identifier: Apache-2.0
// Copies, moves and destructors of the parts of models. They are defined here because otherwise the
// compiler would generate them in each file that uses a model, which takes long: they contain
// variants, deques and maps of one another.
#include <lapidary/graph/model.h>

namespace lapidary {

SparseTensor::SparseTensor() = default;
SparseTensor::SparseTensor(const SparseTensor&) = default;
SparseTensor::SparseTensor(SparseTensor&&) noexcept = default;
SparseTensor& SparseTensor::operator=(const SparseTensor&) = default;
SparseTensor& SparseTensor::operator=(SparseTensor&&) noexcept = default;
SparseTensor::~SparseTensor() = default;

Node::Node() = default;
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

Graph::Graph() = default;
Graph::Graph(const Graph&) = default;
Graph::Graph(Graph&&) = default;
Graph& Graph::operator=(const Graph&) = default;
Graph& Graph::operator=(Graph&&) = default;
Graph::~Graph() = default;

Function::Function() = default;
Function::Function(const Function&) = default;
Function::Function(Function&&) noexcept = default;
Function& Function::operator=(const Function&) = default;
Function& Function::operator=(Function&&) noexcept = default;
Function::~Function() = default;

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) = default;
Model::~Model() = default;

}  // namespace lapidary

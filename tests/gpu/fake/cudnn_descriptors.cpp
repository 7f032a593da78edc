// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// cuDNN: handles, versions, and the descriptors of its graph interface.
#include "tests/gpu/fake/cudnn_descriptors.hpp"

#include <string>

#include <fmt/format.h>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

constexpr const char* kKind = "cuDNN objects";

template <class Object>
cudnnStatus_t destroy(const char* name, Object* object) {
  const Call call(name);
  if (call.handles.others.erase({kKind, object}) == 0) {
    complain(std::string(name) + ": no such object");
    return CUDNN_STATUS_BAD_PARAM;
  }
  delete object;
  return CUDNN_STATUS_SUCCESS;
}

/// Returns null and records a complaint if there is no such object.
CudnnObject* object_of(const Call& call, cudnnBackendDescriptor_t descriptor) {
  if (call.handles.others.count({kKind, descriptor}) > 0) {
    return static_cast<CudnnObject*>(descriptor);
  }
  complain(fmt::format("{}: a descriptor that does not exist", call.name()));
  return nullptr;
}

std::size_t size_of(cudnnBackendAttributeType_t type) {
  switch (type) {
    case CUDNN_TYPE_FLOAT:
    case CUDNN_TYPE_DATA_TYPE:
    case CUDNN_TYPE_CONVOLUTION_MODE:
    case CUDNN_TYPE_HEUR_MODE:
      return 4;
    default:
      return 8;
  }
}

/// Parts must be finalised before they are put into another descriptor.
bool whole(const Call& call, cudnnBackendAttributeType_t type, std::int64_t count,
           const void* values) {
  if (type != CUDNN_TYPE_BACKEND_DESCRIPTOR) return true;
  for (std::int64_t i = 0; i < count; ++i) {
    const CudnnObject* part =
        object_of(call, static_cast<const cudnnBackendDescriptor_t*>(values)[i]);
    if (part == nullptr || !part->finalized) return false;
  }
  return true;
}

cudnnStatus_t refuse(const Call& call, const char* why) {
  complain(fmt::format("{}: {}", call.name(), why));
  return CUDNN_STATUS_BAD_PARAM;
}

}  // namespace

bool CudnnObject::has(cudnnBackendAttributeName_t name, std::int64_t count) const {
  const auto found = attributes.find(name);
  return found != attributes.end() && found->second.count == count;
}

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  const Call call(__func__);
  *handle = new cudnnContext;
  call.handles.others.emplace(kKind, *handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return destroy(__func__, handle);
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  const Call call(__func__);
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION   ? CUDNN_MAJOR
           : type == MINOR_VERSION ? CUDNN_MINOR
                                   : CUDNN_PATCHLEVEL;
  return CUDNN_STATUS_SUCCESS;
}
const char* cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_SUCCESS ? "success" : "an error that the fake returned";
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t* descriptor) {
  const Call call(__func__);
  auto* const object = new CudnnObject;
  object->type = type;
  *descriptor = object;
  call.handles.others.emplace(kKind, object);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  return destroy(__func__, static_cast<CudnnObject*>(descriptor));
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count,
                                       const void* values) {
  const Call call(__func__);
  CudnnObject* const object = object_of(call, descriptor);
  if (object == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (object->finalized) return refuse(call, "of a descriptor that is finalised");
  if (!whole(call, type, count, values)) return refuse(call, "a part that is not finalised");
  const auto* const bytes = static_cast<const std::byte*>(values);
  object->attributes[name] = {
      type, count, {bytes, bytes + static_cast<std::size_t>(count) * size_of(type)}};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  const Call call(__func__);
  CudnnObject* const object = object_of(call, descriptor);
  if (object == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (object->finalized) return refuse(call, "twice");
  const cudnnStatus_t status = examine(*object);
  object->finalized = status == CUDNN_STATUS_SUCCESS;
  return status;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t /*type*/, int64_t asked,
                                       int64_t* count, void* values) {
  const Call call(__func__);
  const CudnnObject* const object = object_of(call, descriptor);
  if (object == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (!object->finalized) return refuse(call, "of a descriptor that is not finalised");
  if (!answer(*object, name, asked, count, values)) return refuse(call, "no such attribute");
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"

// Texture: a picture on the device with its smaller versions (mipmaps), and how it is read.
#pragma once

#include "gpu/image.h"
#include "render/materials.h"

namespace sinew::render {

struct DeviceTexture {
  gpu::Image image;
  gpu::Handle<VkSampler> sampler;
};
/// A picture larger than the device takes is halved until it fits.
Result<DeviceTexture> make_texture(const gpu::Context& context, const Texture& texture);

}  // namespace sinew::render

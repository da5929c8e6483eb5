// A small character with clips that compression has something to do with.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "support/scenes.h"

namespace sinew::test {

/// The tube with clips of 61 frames, 30 a second, each name's a faster swing than the one before.
inline Scene moving_tube(const std::vector<std::string>& names = {"walk", "walk back", "run"}) {
  Scene scene = tube();
  scene.clips.clear();
  for (const std::string& name : names) {
    const float speed = static_cast<float>(scene.clips.size() + 1);
    Scene::Clip& clip = add_clip(scene, name);
    std::vector<float> times, degrees;
    for (std::size_t f = 0; f <= 60; ++f) {
      times.push_back(static_cast<float>(f) / 30);
      degrees.push_back(50 * std::sin(0.2f * speed * static_cast<float>(f)));
    }
    add_turn(clip, 1, times, degrees);
  }
  return scene;
}

}  // namespace sinew::test

// What the CPU benchmarks share: the built-in character opened, and times to sample it at.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "biped/biped.h"
#include "sinew/sinew.h"
#include "sinew/write.h"

namespace sinew::bench {

template <class T>
T opened(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    std::exit(1);
  }
  return std::move(*result);
}

/// The built-in character, kept for the whole run.
inline const Character& biped() {
  static const Bytes bytes = opened(write(make_biped()));
  static const Character character = opened(open(bytes));
  return character;
}

/// Times of a clip, at random or forward at 60 Hz from its first key, wrapped.
inline std::vector<float> times_of(const Clip& clip, bool random, std::size_t count = 1024) {
  std::mt19937 source(1);
  std::uniform_real_distribution<float> any(clip.first_key, clip.duration);
  std::vector<float> out;
  const float span = clip.duration - clip.first_key;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(random ? any(source) : clip.first_key + (span > 0 ? std::fmod(float(i) / 60, span) : 0));
  return out;
}

}  // namespace sinew::bench

// A job that lacks a buffer does not compile: Required has no empty state, as a plain span would.
// expect: could not convert .* to .sinew::Required<sinew::Affine>
// expect: no (matching constructor|viable).*Required<
#include <vector>

#include "sinew/palette.h"

void fill(const sinew::Skin& skin, const std::vector<sinew::Affine>& model_from_joint, sinew::Palette& palette) {
#ifdef SHOULD_NOT_COMPILE
  run(sinew::PaletteJob{.skin = skin, .model_from_joint = model_from_joint});
#else
  run(sinew::PaletteJob{.skin = skin, .model_from_joint = model_from_joint, .palette = palette.matrices()});
#endif
}

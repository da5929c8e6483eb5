// What fragments of code in the pages may use without saying so: the built-in character, opened, and a pose of it.
#pragma once

#include "biped/biped.h"
#include "sinew/export.h"
#include "sinew/compress.h"
#include "sinew/dual_joints.h"
#include "sinew/import.h"
#include "sinew/sinew.h"
#include "sinew/twist.h"
#include "sinew/write.h"

using namespace sinew;

#define SINEW_DOCS_PRELUDE                                    \
  [[maybe_unused]] Scene scene = make_biped();                \
  [[maybe_unused]] Bytes bytes = write(scene).value();        \
  [[maybe_unused]] Character character = open(bytes).value(); \
  [[maybe_unused]] const Clip& clip = character.clips()[0];   \
  [[maybe_unused]] Pose pose(character.skeleton());

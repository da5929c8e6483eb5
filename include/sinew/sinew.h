// sinew: skeletal animation from file to skinned vertices. This header: core and runtime (sample, blend, model, palette, skin).
#pragma once

#include "sinew/additive.h"
#include "sinew/blend.h"
#include "sinew/bytes.h"
#include "sinew/character.h"
#include "sinew/gpu.h"
#include "sinew/instance.h"
#include "sinew/job.h"
#include "sinew/joint_mask.h"
#include "sinew/math.h"
#include "sinew/model.h"
#include "sinew/palette.h"
#include "sinew/pose.h"
#include "sinew/result.h"
#include "sinew/sample.h"
#include "sinew/simd.h"
#include "sinew/skin.h"

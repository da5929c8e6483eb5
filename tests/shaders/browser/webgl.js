// ESSL 300 in WebGL2: skinned vertices by transform feedback.
const kFragment = '#version 300 es\nprecision highp float;\nout vec4 colour;\nvoid main() { colour = vec4(0.0); }\n';

function compile(gl, type, text) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) + text);
  return shader;
}

function link(gl, job) {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, job.text));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, kFragment));
  const varyings = ['gl_Position', 'world_normal', 'surface_uv', ...(job.tangents ? ['world_tangent'] : [])];
  gl.transformFeedbackVaryings(program, varyings, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

function attribute(gl, buffer, location, size, type, stride, offset) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(location);
  if (type === gl.UNSIGNED_SHORT) gl.vertexAttribIPointer(location, size, type, stride, offset);
  else gl.vertexAttribPointer(location, size, type, false, stride, offset);
}

const programs = new Map();  // by shader, for compiling is what takes the time

function run(gl, job) {
  if (!programs.has(job.shader)) programs.set(job.shader, link(gl, job));
  const program = programs.get(job.shader);
  gl.useProgram(program);
  const buffer = (target, bytes) => {
    const made = gl.createBuffer();
    gl.bindBuffer(target, made);
    gl.bufferData(target, bytes, gl.STATIC_DRAW);
    return made;
  };
  const block = (name, slot, bytes) => {
    const index = gl.getUniformBlockIndex(program, name);
    const whole = new Uint8Array(gl.getActiveUniformBlockParameter(program, index, gl.UNIFORM_BLOCK_DATA_SIZE));
    whole.set(new Uint8Array(bytes).subarray(0, whole.length));
    gl.uniformBlockBinding(program, index, slot);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, slot, buffer(gl.UNIFORM_BUFFER, whole));
  };
  block('Uniforms', 0, job.bytes('uniforms'));
  block('Palette', 1, job.bytes('palette'));
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const vertices = buffer(gl.ARRAY_BUFFER, job.bytes('vertices'));
  attribute(gl, vertices, 0, job.mixed ? 4 : 3, gl.FLOAT, 64, 0);
  attribute(gl, vertices, 1, 3, gl.FLOAT, 64, 16);
  attribute(gl, vertices, 2, 2, gl.FLOAT, 64, 32);
  attribute(gl, vertices, 3, 4, gl.UNSIGNED_SHORT, 64, 40);
  attribute(gl, vertices, 4, 4, gl.FLOAT, 64, 48);
  if (job.tangents) attribute(gl, buffer(gl.ARRAY_BUFFER, job.bytes('tangents')), 5, 4, gl.FLOAT, 16, 0);
  if (job.influences > 4) {
    const more = buffer(gl.ARRAY_BUFFER, job.bytes('more'));
    attribute(gl, more, 6, 4, gl.UNSIGNED_SHORT, 24, 0);
    attribute(gl, more, 7, 4, gl.FLOAT, 24, 8);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  const floats = job.tangents ? 13 : 9;
  const captured = new Float32Array(job.vertex_count * floats);
  const feedback = gl.createTransformFeedback(), output = gl.createBuffer();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, output);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, captured.byteLength, gl.STREAM_READ);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, job.vertex_count);
  gl.endTransformFeedback();
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, captured);
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  gl.bindVertexArray(null);
  const error = gl.getError();
  if (error) throw new Error(`${job.shader}: WebGL error ${error}`);
  const vertex = new Float32Array(job.vertex_count * 12), tangent = new Float32Array(job.tangents ? job.vertex_count * 4 : 0);
  for (let v = 0; v < job.vertex_count; ++v) {
    const from = captured.subarray(v * floats, (v + 1) * floats);
    vertex.set([...from.subarray(0, 7), 0, ...from.subarray(7, 9), 0, 0], v * 12);
    if (job.tangents) tangent.set(from.subarray(9), v * 4);
  }
  return [vertex, tangent];
}

export async function runAll(jobs) {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw Object.assign(new Error('there is no WebGL2'), { absent: true });
  return jobs.flatMap(job => run(gl, job));
}

// Replaces `texture2D` and `textureCube` if a parameter named `texture` hides the function.
vec4 tarsus_read(sampler2D s, vec2 at) { return texture(s, at); }
vec4 tarsus_read(sampler2D s, vec2 at, float bias) { return texture(s, at, bias); }
vec4 tarsus_read(samplerCube s, vec3 at) { return texture(s, at); }
vec4 tarsus_read(samplerCube s, vec3 at, float bias) { return texture(s, at, bias); }

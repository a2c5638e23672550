vec4 tarsus_result = vec4(0.0);
mainImage(tarsus_result, tarsus_place.xy);
uvec3 tarsus_exponent = floatBitsToUint(tarsus_result.xyz) & uvec3(0x7f800000u);
float tarsus_grey = 0.5 * dot(clamp(tarsus_result.xyz, 0.0, 1.0), vec3(0.30, 0.59, 0.11));
bool tarsus_is_finite = all(notEqual(tarsus_exponent, uvec3(0x7f800000u)));
tarsus_color = vec4(tarsus_is_finite ? vec3(tarsus_grey) : vec3(1.0, 0.0, 1.0), 1.0);

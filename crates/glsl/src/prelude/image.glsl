vec4 tarsus_result = vec4(0.0);
mainImage(tarsus_result, tarsus_place.xy);
tarsus_color = vec4(tarsus_result.xyz, 1.0);

vec4 tarsus_result = vec4(0.0);
mainImage(tarsus_result, gl_FragCoord.xy);
tarsus_color = tarsus_result;

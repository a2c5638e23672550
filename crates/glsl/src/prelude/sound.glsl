uvec2 tarsus_texel = uvec2(gl_FragCoord.xy);
uint tarsus_sample = tarsus_part + tarsus_texel.y * SOUND_ROWu + tarsus_texel.x;
float tarsus_time = float(tarsus_sample / SAMPLE_RATEu)
    + float(tarsus_sample % SAMPLE_RATEu) / SAMPLE_RATE.0;
tarsus_color = vec4(mainSound(ARGUMENTS), 0.0, 0.0);

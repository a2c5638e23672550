// = 0.5 1 48000
void mainImage(out vec4 c, in vec2 p) {
    c = vec4(iChannelTime[2], iChannelResolution[1].x, iSampleRate, 1.0);
}

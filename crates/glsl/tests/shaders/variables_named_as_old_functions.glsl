// = 1 2 3
float texture3D = 1.0;
void mainImage(out vec4 c, in vec2 p) {
    float texture2D = 2.0, textureCube = 3.0;
    c = vec4(texture3D, texture2D, textureCube, 1.0);
}

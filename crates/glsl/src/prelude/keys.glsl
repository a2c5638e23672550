// Keyboard functions of the editor extension.
layout(set = 0, binding = 1) uniform texture2D tarsus_keys;
bool isKeyDown(int key) { return texelFetch(tarsus_keys, ivec2(key, 0), 0).x > 0.5; }
bool isKeyPressed(int key) { return texelFetch(tarsus_keys, ivec2(key, 1), 0).x > 0.5; }
bool isKeyToggled(int key) { return texelFetch(tarsus_keys, ivec2(key, 2), 0).x > 0.5; }
bool isKeyReleased(int key) { return false; }

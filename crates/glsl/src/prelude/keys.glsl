// Keyboard functions of the editor extension.
layout(set = 0, binding = 1) uniform texture2D tarsus_keys;
bool isKeyDown(int key) { return texelFetch(tarsus_keys, ivec2(key, 0), 0).x > 0.5; }
bool isKeyPressed(int key) { return texelFetch(tarsus_keys, ivec2(key, 1), 0).x > 0.5; }
bool isKeyToggled(int key) { return texelFetch(tarsus_keys, ivec2(key, 2), 0).x > 0.5; }
bool isKeyReleased(int key) { return false; }
const int Key_Backspace = 8, Key_Tab = 9, Key_Enter = 13, Key_Shift = 16, Key_Ctrl = 17;
const int Key_Alt = 18, Key_Escape = 27, Key_Space = 32;
const int Key_LeftArrow = 37, Key_UpArrow = 38, Key_RightArrow = 39, Key_DownArrow = 40;

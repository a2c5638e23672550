bool isKeyDown(int key);
bool isKeyPressed(int key);
bool isKeyToggled(int key);
bool isKeyReleased(int key);

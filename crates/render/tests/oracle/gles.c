// Draws the passes of a shader with the system's OpenGL ES 3, without a display.
//
//   gles WIDTH HEIGHT TIME,TIME,... [PASS.frag CHANNELS]...  > pictures.rgba
//
// Writes one picture per time in seconds, one after the other, as RGBA with four bytes
// per pixel and the top row first. Each pass is a complete GLSL ES 3.00 fragment shader,
// drawn in the given order; the last one is the picture, the others are buffers of 32-bit
// floats. CHANNELS has the number of the pass that each channel reads, counted from 0:
// `01--` is pass 0 in iChannel0 and pass 1 in iChannel1.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 8 };

static void fail(const char *what, const char *why) {
    fprintf(stderr, "gles: %s: %s\n", what, why);
    exit(1);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, "cannot be read");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (fread(text, 1, size, file) != (size_t)size) fail(path, "cannot be read");
    fclose(file);
    return text;
}

static GLuint compile(GLenum stage, const char *text, const char *name) {
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint is_right;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_right);
    if (!is_right) {
        char told[4096];
        glGetShaderInfoLog(shader, sizeof told, NULL, told);
        fail(name, told);
    }
    return shader;
}

static GLuint link_program(const char *path) {
    static const char *vertex =
        "#version 300 es\nvoid main() {\n"
        "    vec2 corner = vec2(gl_VertexID / 2, gl_VertexID % 2) * 4.0 - 1.0;\n"
        "    gl_Position = vec4(corner, 0.0, 1.0);\n}\n";
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex, "vertex stage"));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, read_file(path), path));
    glLinkProgram(program);
    GLint is_right;
    glGetProgramiv(program, GL_LINK_STATUS, &is_right);
    if (!is_right) fail(path, "does not link");
    return program;
}

static void begin(void) {
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!get_display) fail("EGL", "no platforms");
    EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL)) fail("EGL", "does not start");
    eglBindAPI(EGL_OPENGL_ES_API);
    EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    eglChooseConfig(display, wanted, &config, 1, &count);
    if (count == 0) fail("EGL", "no OpenGL ES 3");
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("EGL", "no context");
}

static GLuint target(int width, int height, int is_picture) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, is_picture ? GL_RGBA8 : GL_RGBA32F, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("framebuffer", "is not complete");
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    return texture;
}

static void draw(GLuint program, int width, int height, float time, int frame) {
    glUseProgram(program);
    glUniform3f(glGetUniformLocation(program, "iResolution"), width, height, 1.0f);
    glUniform1f(glGetUniformLocation(program, "iTime"), time);
    glUniform1f(glGetUniformLocation(program, "iTimeDelta"), 1.0f / 60.0f);
    glUniform1f(glGetUniformLocation(program, "iFrameRate"), 60.0f);
    glUniform1i(glGetUniformLocation(program, "iFrame"), frame);
    glViewport(0, 0, width, height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

int main(int count, char **words) {
    int passes = (count - 4) / 2;
    if (count < 6 || count % 2 || passes > MOST_PASSES)
        fail("arguments", "WIDTH HEIGHT TIME,TIME,... [PASS.frag CHANNELS]...");
    int width = atoi(words[1]), height = atoi(words[2]);
    begin();
    GLuint programs[MOST_PASSES], made[MOST_PASSES], buffer, vertices;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    glGenFramebuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    for (int pass = 0; pass < passes; pass++) programs[pass] = link_program(words[4 + 2 * pass]);
    size_t row = 4 * (size_t)width;
    unsigned char *picture = malloc(row * height);
    for (char *time = strtok(words[3], ","); time; time = strtok(NULL, ",")) {
        float seconds = strtof(time, NULL);
        for (int pass = 0; pass < passes; pass++) {
            const char *channels = words[5 + 2 * pass];
            made[pass] = target(width, height, pass == passes - 1);
            glUseProgram(programs[pass]);
            for (int channel = 0; channel < 4 && channels[channel]; channel++) {
                if (channels[channel] < '0' || channels[channel] >= '0' + pass) continue;
                char name[] = "iChannel0";
                name[8] += channel;
                glActiveTexture(GL_TEXTURE0 + channel);
                glBindTexture(GL_TEXTURE_2D, made[channels[channel] - '0']);
                glUniform1i(glGetUniformLocation(programs[pass], name), channel);
            }
            draw(programs[pass], width, height, seconds, (int)(60.0f * seconds + 0.5f));
            glActiveTexture(GL_TEXTURE0);
        }
        glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture);
        if (glGetError() != GL_NO_ERROR) fail("OpenGL", "an error");
        for (int y = height - 1; y >= 0; y--) fwrite(picture + y * row, 1, row, stdout);
    }
    return 0;
}

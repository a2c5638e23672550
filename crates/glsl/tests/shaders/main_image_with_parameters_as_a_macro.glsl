// (0, 0) = 0.5 0.5 3
// (3, 1) = 3.5 1.5 3
#define mainImage(color, place) color += vec4(place, 3.0, 1.0)

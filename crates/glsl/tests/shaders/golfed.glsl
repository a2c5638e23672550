// (0, 0) = 4 0.5 0
// (1, 0) = 4 1.5 0
#define R iResolution
void mainImage(out vec4 O,vec2 u){float i=0.;O*=i;for(;i++<4.;O.r+=1.);O.g=u.x*R.z;}

//! Unit tests of the rewrites.

use super::*;

fn tokens(source: &str) -> Tokens {
    Tokens::new(source).unwrap_or_else(|error| panic!("{}", error.message))
}

#[test]
fn operators_branch_around_effects() {
    for (expression, expected) in [
        ("a && b && f(c)", "( a && b ? f ( c ) : false )"),
        ("a || x == g(1.) && i++ > 2", "( a ? true : ( x == g ( 1. ) ? i ++ > 2 : false ) )"),
        ("a || f(c) || b", "( a ? true : f ( c ) ) || b"),
        (
            "f(a && f(b)) ? c || (d = e) : f",
            "f ( ( a ? f ( b ) : false ) ) ? ( c ? true : ( d = e ) ) : f",
        ),
        (
            "v[a ^^ b || f(1)] * 2., a && AND",
            "v [ ( a ^^ b ? true : f ( 1 ) ) ] * 2. , ( a ? f ( 1 ) : false ) && b",
        ),
        ("f(a) && b || g(c)", "f ( a ) && b || g ( c )"),
        ("0; if (a) b && f(c)", "0 ; if ( a ) ( b ? f ( c ) : false )"),
        ("a && dot(b, c) > 0.", "a && dot ( b , c ) > 0."),
    ] {
        let source = format!("#define AND f(1) && b\nbool f(in int x) {{ return {expression}; }}");
        let mut tokens = tokens(&source);
        tokens.branch_at_operators();
        let text = tokens.text();
        let (_, body) = text.split_once("{ return ").expect("a body");
        assert_eq!(body, format!("{expected} ; }} "), "{expression}");
    }
    let mut tokens = tokens("bool f(); bool a = true && f();");
    let before = tokens.text();
    tokens.branch_at_operators();
    assert_eq!(tokens.text(), before);
}

#[test]
fn indices_are_stored_before_compound_assignments() {
    for (statement, expected) in [
        ("v[i++] += 1;", "{ int tarsus_index0 = int ( i ++ ) ; v [ tarsus_index0 ] += 1 ; }"),
        (
            "if (a) v[0].m[f(i)].x *= 2.;",
            "if ( a ) { int tarsus_index0 = int ( f ( i ) ) ; v [ 0 ] . m [ tarsus_index0 ] . x *= 2. ; }",
        ),
        (
            "v[i++][i++] += 1;",
            "{ int tarsus_index0 = int ( i ++ ) ; { int tarsus_index1 = int ( i ++ ) ; \
             v [ tarsus_index0 ] [ tarsus_index1 ] += 1 ; } }",
        ),
        (
            "case 1: v[i++] -= 1;",
            "case 1 : { int tarsus_index0 = int ( i ++ ) ; v [ tarsus_index0 ] -= 1 ; }",
        ),
        ("v[i++] = 1;", "v [ i ++ ] = 1 ;"),
        ("v[i++]++; i += 1;", "v [ i ++ ] ++ ; i += 1 ;"),
        ("for (;; v[f(i)] += 1) {}", "for ( ; ; v [ f ( i ) ] += 1 ) { }"),
        ("v[g(i)] += v[i++]; a == b[i++];", "v [ g ( i ) ] += v [ i ++ ] ; a == b [ i ++ ] ;"),
    ] {
        let mut tokens = tokens(&format!("int f(int x) {{ {statement} }}"));
        tokens.store_indices().unwrap_or_else(|_| panic!("{statement}"));
        let text = tokens.text();
        let (_, body) = text.split_once("{ ").expect("a body");
        assert_eq!(body, format!("{expected} }} "), "{statement}");
    }
    let error = tokens("void f() { a = v[i++] += 1; }").store_indices().expect_err("an error");
    assert!(error.message.contains("side effect"), "{}", error.message);
}

#[test]
fn unreachable_statements_are_removed() {
    for (body, expected) in [
        ("return a; b(); { c(); }", "return a ;"),
        (
            "if (a) return b; c(); { return; d(); } e();",
            "if ( a ) return b ; c ( ) ; { return ; } e ( ) ;",
        ),
        (
            "switch (a) { case 1: return b; c(); case 2: break; default: d(); }",
            "switch ( a ) { case 1 : return b ; case 2 : break ; default : d ( ) ; }",
        ),
        (
            "for (;;) { a(); continue; { switch (b) { case 1: } } c(); }",
            "for ( ; ; ) { a ( ) ; continue ; }",
        ),
    ] {
        let mut tokens = tokens(&format!("{{ {body} }}"));
        tokens.remove_unreachable();
        assert_eq!(tokens.text()[VERSION.len()..].trim_end(), format!("{{ {expected} }}"));
    }
}

#[test]
fn declarations_are_split_after_arrays() {
    for (source, expected) in [
        ("vec3 a[2], b;", "vec3 a [ 2 ] ; vec3 b ;"),
        (
            "const float a = f(1, 2), b[N] = float[](3, 4), c, d[2]; e, f[0], g;",
            "const float a = f ( 1 , 2 ) , b [ N ] = float [ ] ( 3 , 4 ) ; const float c , \
             d [ 2 ] ; e , f [ 0 ] , g ;",
        ),
        (
            "struct S { int a[2], b; } s; void f(int a[2], int b) { S a[2], b; }",
            "struct S { int a [ 2 ] ; int b ; } s ; void f ( int a [ 2 ] , int b ) { \
             S a [ 2 ] ; S b ; }",
        ),
        ("{ a = b[1], c = 2; f(a[1], b); }", "{ a = b [ 1 ] , c = 2 ; f ( a [ 1 ] , b ) ; }"),
    ] {
        let mut tokens = tokens(source);
        tokens.split_declarations();
        assert_eq!(tokens.text()[VERSION.len()..].trim_end(), expected);
    }
}

#[test]
fn arrays_get_the_size_of_their_constructor() {
    for (declaration, expected) in [
        ("float a[] = float[](f(1, 2), 3);", "float a [ 2 ] = float [ ] ( f ( 1 , 2 ) , 3 ) ;"),
        ("const S[] a = S[3](x, y, z);", "const S [ 3 ] a = S [ 3 ] ( x , y , z ) ;"),
        ("int a[] = int[N + 1](0), b;", "int a [ N + 1 ] = int [ N + 1 ] ( 0 ) , b ;"),
        ("int[] a = b;", "int [ ] a = b ;"),
        ("b = int[](1, c[0]);", "b = int [ ] ( 1 , c [ 0 ] ) ;"),
    ] {
        let mut tokens = tokens(declaration);
        tokens.size_arrays();
        assert_eq!(tokens.text()[VERSION.len()..].trim_end(), expected);
    }
}

#[test]
fn parameters_of_prototypes_get_names() {
    for (source, expected) in [
        (
            "float f(vec2, in S); void g(void); void h();",
            "float f ( vec2 tarsus_parameter4 , in S tarsus_parameter8 ) ; void g ( void ) ; \
             void h ( ) ;",
        ),
        ("float f(vec2 a, inout float b);", "float f ( vec2 a , inout float b ) ;"),
        ("void f() { a = g(b); return g(b); }", "void f ( ) { a = g ( b ) ; return g ( b ) ; }"),
    ] {
        let mut tokens = tokens(source);
        tokens.name_parameters();
        assert_eq!(tokens.text()[VERSION.len()..].trim_end(), expected);
    }
}

#[test]
fn statements_become_complete() {
    for (body, expected) in [
        (
            "for (int i = 0; float(i) < a; i++) { }",
            "for ( int i = 0 ; ( float ( i ) < a ) ; i ++ ) { }",
        ),
        ("for (;;) { }", "for ( ; ; ) { }"),
        ("for (; (i) < 2; f(i)) { }", "for ( ; ( i ) < 2 ; f ( i ) ) { }"),
        (
            "switch (a) { case 1: b(); default: }",
            "switch ( a ) { case 1 : b ( ) ; default : break ; }",
        ),
        ("switch (a) { default: ; }", "switch ( a ) { default : ; break ; }"),
    ] {
        let mut tokens = tokens(&format!("{{ {body} }}"));
        tokens.complete_statements();
        assert_eq!(tokens.text()[VERSION.len()..].trim_end(), format!("{{ {expected} }}"));
    }
}

#[test]
fn divisions_by_zero_are_finite() {
    for (value, expected) in [
        ("1./0.", "3.4028235e38 * 1.0"),
        ("-1.0 / 0.0 + a", "- 3.4028235e38 * 1.0 + a"),
        ("0. / 0.", "0. / 0."),
        ("a * 1. / 0.", "a * 1. / 0."),
        ("1 / 0", "1 / 0"),
        ("1. / 0.5", "1. / 0.5"),
    ] {
        let mut tokens = tokens(&format!("a = {value};"));
        tokens.limit_divisions();
        assert_eq!(tokens.text()[VERSION.len()..].trim_end(), format!("a = {expected} ;"));
    }
}

#[test]
fn parts_of_columns_are_written_through_copies() {
    let declarations = "mat3 m ; vec3 v ; ";
    for (statement, expected) in [
        (
            "m[0].y = 1.;",
            "{ vec3 tarsus_column = m [ 0 ] ; tarsus_column . y = 1. ; m [ 0 ] = tarsus_column ; }",
        ),
        (
            "if (a) m[i + 1].xy *= v.xy;",
            "if ( a ) { vec3 tarsus_column = m [ i + 1 ] ; tarsus_column . xy *= v . xy ; \
             m [ i + 1 ] = tarsus_column ; }",
        ),
        ("m[i++].xy = v.xy;", "m [ i ++ ] . xy = v . xy ;"),
        ("matter3 n[2]; n[0].x = 1.;", "matter3 n [ 2 ] ; n [ 0 ] . x = 1. ;"),
        ("v[0].x = 1.; a = m[0].xy;", "v [ 0 ] . x = 1. ; a = m [ 0 ] . xy ;"),
        ("a = m[0].xy == v.xy;", "a = m [ 0 ] . xy == v . xy ;"),
    ] {
        let mut tokens = tokens(&(declarations.to_owned() + statement));
        tokens.copy_columns();
        assert_eq!(tokens.text()[VERSION.len() + declarations.len()..].trim_end(), expected);
    }
}

#[test]
fn constants_become_variables() {
    let source = "const int N = 2; void f(const vec2 a) { const float b = 1.; }";
    let mut tokens = tokens(source);
    let at = tokens.text().find("2 ;").expect("a value");
    assert!(tokens.remove_constant(at) && !tokens.remove_constant(at));
    let expected = "int N = 2 ; void f ( const vec2 a ) { const float b = 1. ; }";
    assert_eq!(tokens.text()[VERSION.len()..].trim_end(), expected);
    let mut tokens = self::tokens(source);
    assert!(tokens.remove_constants(false));
    let expected = "const int N = 2 ; void f ( vec2 a ) { float b = 1. ; }";
    assert_eq!(tokens.text()[VERSION.len()..].trim_end(), expected);
    assert!(!tokens.remove_constants(false));
    assert!(tokens.remove_constants(true) && !tokens.text().contains("const"));
}

#[test]
fn local_constants_are_sizes_of_arrays() {
    for (body, expected) in [
        ("const int N = 3; float a[N]; a[N - 1] = N;", "float a [ ( 3 ) ] ; a [ ( 3 ) - 1 ] = N ;"),
        (
            "{ const int N = M + 1, K = N; { vec2[K] a = S[N](x, y); } } b[N];",
            "{ vec2 [ ( ( M + 1 ) ) ] a = S [ ( M + 1 ) ] ( x , y ) ; } } b [ N ] ;",
        ),
        ("int N = 3; float a[N];", "float a [ N ] ;"),
        ("const int N = 3; { float N; a[N]; } a[b.N];", "{ float N ; a [ N ] ; } a [ b . N ] ;"),
        (
            "const int N = 3; for (int i = 0, N = 2;;) a[N];",
            "for ( int i = 0 , N = 2 ; ; ) a [ N ] ;",
        ),
        ("const int N = 3; float b = 1., N; f(b, N, a[N]);", "f ( b , N , a [ N ] ) ;"),
        ("const int N = 3; f(b, N, a[N]);", "f ( b , N , a [ ( 3 ) ] ) ;"),
        ("const int N = M; { int M = 3; a[N]; }", "{ int M = 3 ; a [ N ] ; }"),
        ("const int N = N; a[N];", "a [ N ] ;"),
    ] {
        let globals = "const int M = 2, L = 1, N = 4; void g(int L) { }";
        let mut tokens = tokens(&format!("{globals} void f() {{ {body} }} g"));
        tokens.inline_sizes();
        let text = tokens.text();
        assert!(text.ends_with(&format!(" {expected} }} g ")), "{text}");
    }
    let doubled = (1..40).map(|n| format!("const int A{n} = A{0} + A{0};", n - 1));
    let mut tokens =
        tokens(&format!("f {{ const int A0 = 1; {} a[A39]; }}", doubled.collect::<String>()));
    tokens.inline_sizes();
    assert!(tokens.0.len() < 500);
}

#[test]
fn conditions_become_numbers_in_vectors() {
    for (value, expected) in [
        ("vec3(a < b)", "vec3 ( float ( a < b ) )"),
        ("ivec2(a == b, f(a < b))", "ivec2 ( int ( a == b ) , f ( a < b ) )"),
        ("vec2(1, !vec2(a > b).x)", "vec2 ( 1 , float ( ! vec2 ( float ( a > b ) ) . x ) )"),
        ("vec2(a > b ? a : b)", "vec2 ( a > b ? a : b )"),
        ("vec2(a << 1, (a > b))", "vec2 ( a << 1 , float ( ( a > b ) ) )"),
        ("vec2((a) + (b > a), (a))", "vec2 ( ( a ) + ( b > a ) , ( a ) )"),
        ("uvec3(hit, (inside), both)", "uvec3 ( uint ( hit ) , uint ( ( inside ) ) , both )"),
        ("vec2(near(a, b), near(a) * b)", "vec2 ( float ( near ( a , b ) ) , near ( a ) * b )"),
        ("vec2(hit ? a : b, last)", "vec2 ( hit ? a : b , float ( last ) )"),
        ("vec2(hit && b, c)", "vec2 ( float ( hit && b ) , c )"),
        ("vec4(vec2(c), d, fixed)", "vec4 ( vec2 ( c ) , d , float ( fixed ) )"),
    ] {
        let declarations = "bool hit = f ( a , b ) , inside , both , d ; float e , both , d ; \
                            const bool fixed = true ; \
                            bool near ( bool last , vec2 , float c ) ; ";
        let mut tokens = tokens(&(declarations.to_owned() + value));
        tokens.convert_conditions();
        assert_eq!(tokens.text()[VERSION.len() + declarations.len()..].trim_end(), expected);
    }
}

#[test]
fn positions_lead_back_to_the_source() {
    let source = "#define T iTime // é\n#version 300\nfloat a = T +\n  0x1Fu \\\n+ 1.5e3\\\r\n;";
    let tokens = tokens(source);
    let text = tokens.text();
    assert_eq!(text, "#version 450\nfloat a = iTime + 31u + 1.5e3 ; ");
    for word in ["float", "iTime", "1.5e3", ";"] {
        let at = text.find(word).expect(word);
        assert_eq!(Some(tokens.offset(at)), source.find(word), "{word}");
    }
}

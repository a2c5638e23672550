//! Words that scenes pack into integers.

/// Checks lines such as `vec4u(0x72656163u, …) // "reach"`: a wrong comment would be
/// believed.
#[test]
fn packed_words_match_their_comments() {
    let mut checked = 0;
    for (_, _, text) in tarsus_scenes::SCENES {
        for line in text.lines().filter(|line| line.contains("vec4u(0x")) {
            let (code, comment) = line.split_once("// \"").expect("a comment with the word");
            let word = comment.strip_suffix('"').expect("a closing quote");
            let packed = code.rsplit_once("vec4u(").expect("a word").1;
            // Words at the right end of a field begin with spaces.
            let unpacked = unpack(packed.split(')').next().expect("words"));
            assert_eq!(unpacked.trim_start(), word, "{line}");
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} words were found");
}

fn unpack(words: &str) -> String {
    let bytes = words.split(',').flat_map(|word| {
        let word = word.trim().trim_end_matches('u');
        let number = word.strip_prefix("0x").map_or_else(
            || word.parse::<u32>().expect("a number"),
            |hex| u32::from_str_radix(hex, 16).expect("a hex number"),
        );
        number.to_be_bytes()
    });
    let glyph = |byte| match byte {
        0x92 => "²".to_owned(),
        0x9a => "√".to_owned(),
        0x9b => "⊥".to_owned(),
        0x9c => "₁²".to_owned(),
        0x9d => "₂²".to_owned(),
        0xb1 => "₁".to_owned(),
        0xb2 => "₂".to_owned(),
        other => char::from(other).to_string(),
    };
    bytes.filter(|&byte| byte != 0).map(glyph).collect()
}

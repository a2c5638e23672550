//! Generates JavaScript bindings and a smaller module from a WebAssembly file built by
//! cargo: `tarsus-web-build INPUT.wasm FOLDER NAME` writes `NAME.js`, `NAME.d.ts` and
//! `NAME_bg.wasm` to the folder. With `--names` as the last argument, the functions keep
//! their names, by which wasm-opt can sort them.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (input, folder, name, has_names) = match arguments.as_slice() {
        [input, folder, name] => (input, folder, name, false),
        [input, folder, name, flag] if flag == "--names" => (input, folder, name, true),
        _ => {
            eprintln!("usage: tarsus-web-build INPUT.wasm FOLDER NAME [--names]");
            return ExitCode::from(2);
        }
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name(name)
        .typescript(true)
        .remove_name_section(!has_names);
    let made = bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tarsus-web-build: cannot make {folder}/{name}.js: {error:#}");
            ExitCode::FAILURE
        }
    }
}

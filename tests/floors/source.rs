//! Reads the modules of a crate: what each defines, what it imports, and which
//! paths it names. Comments, texts and what is there for tests alone is left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::tokens::{Token, tokens};

/// Names from the root of the crate; the root itself has none.
pub type Path = Vec<String>;

/// A module, of a file or within one.
#[derive(Default)]
pub struct Module {
    /// The file it stands in.
    pub file: String,
    /// Names of what it defines, modules left out.
    items: BTreeSet<String>,
    /// Names that `use` brings into it, with what they stand for.
    imports: BTreeMap<String, Path>,
    /// Modules of which `use` brings in everything.
    globs: Vec<Path>,
    /// The paths it names.
    pub references: Vec<Reference>,
}

/// A path that stands in a module.
pub struct Reference {
    /// Its names, from the root of the crate on.
    pub path: Path,
    /// Whether it is the path of a `use`.
    pub is_import: bool,
    /// Whether that `use` hands on what it brings in.
    pub is_export: bool,
}

/// What a path stands for.
pub enum Target {
    /// A module, by its path.
    Module(Path),
    /// Something that a module defines: the path of the module, and the name.
    Item(Path, String),
}

/// The modules of a crate by path.
pub struct Crate {
    pub modules: BTreeMap<Path, Module>,
    /// All names that stand in a file, by file.
    names: BTreeMap<String, BTreeSet<String>>,
}

impl Crate {
    /// Reads the crate whose root is the file `root`; `read` gives the text of a
    /// file, if there is one.
    pub fn read(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut all = Self {
            modules: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut waiting = vec![Path::new()];
        while let Some(path) = waiting.pop() {
            let place = format!("{folder}/{}", path.join("/"));
            let candidates = match path.is_empty() {
                true => vec![root.to_owned()],
                false => vec![format!("{place}.rs"), format!("{place}/mod.rs")],
            };
            let found = candidates
                .into_iter()
                .find_map(|file| Some((read(&file)?, file)));
            let (text, file) = found.unwrap_or_else(|| panic!("there is no file for {place}"));
            let tokens = tokens(&text);
            collect_names(&tokens, all.names.entry(file.clone()).or_default());
            let mut reader = Reader {
                file: &file,
                modules: &mut all.modules,
                files: Vec::new(),
            };
            reader.module(&path, &tokens);
            waiting.append(&mut reader.files);
        }
        all.resolve_first_names();
        all
    }

    pub fn files(&self) -> Vec<&str> {
        self.names.keys().map(String::as_str).collect()
    }

    /// Files in which `name` stands, comments and texts left out.
    pub fn files_that_mention(&self, name: &str) -> Vec<&str> {
        let files = self.names.iter();
        files
            .filter(|(_, names)| names.contains(name))
            .map(|(file, _)| file.as_str())
            .collect()
    }

    /// Whether modules stand below this one in files of their own.
    pub fn is_parent(&self, path: &Path) -> bool {
        let file = &self.modules[path].file;
        self.modules.iter().any(|(other, module)| {
            other.len() == path.len() + 1 && other.starts_with(path) && module.file != *file
        })
    }

    /// Follows a path from the root of the crate through imports and exports;
    /// nothing where it leads to something that no source defines by name.
    pub fn resolve(&self, path: &[String]) -> Option<Target> {
        self.follow(path, 0)
    }

    fn follow(&self, path: &[String], depth: usize) -> Option<Target> {
        // Modules that import everything of each other would go on for ever.
        if depth > 16 {
            return None;
        }
        let mut at = Path::new();
        for (index, name) in path.iter().enumerate() {
            let rest = &path[index + 1..];
            let below = [&at[..], std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&below) {
                at = below;
                continue;
            }
            let module = &self.modules[&at];
            if module.items.contains(name) {
                return Some(Target::Item(at, name.clone()));
            }
            if let Some(import) = module.imports.get(name) {
                return self.follow(&[&import[..], rest].concat(), depth + 1);
            }
            return module
                .globs
                .iter()
                .find_map(|glob| self.follow(&[&glob[..], &path[index..]].concat(), depth + 1));
        }
        Some(Target::Module(at))
    }

    /// Makes paths absolute that begin with a module in scope; drops the others,
    /// which lead to other crates or to what is imported by its own name.
    fn resolve_first_names(&mut self) {
        let mut all = BTreeMap::new();
        for (at, module) in &self.modules {
            let absolute = |path: &Path| -> Option<Path> {
                let (first, rest) = path.split_first()?;
                match first.as_str() {
                    "crate" => Some(rest.to_vec()),
                    "self" | "super" => {
                        let ups = path.iter().take_while(|name| *name == "super").count();
                        let skip = ups + usize::from(first == "self");
                        let base = &at[..at.len().checked_sub(ups)?];
                        Some([base, &path[skip..]].concat())
                    }
                    _ => {
                        let child = [&at[..], std::slice::from_ref(first)].concat();
                        if self.modules.contains_key(&child) {
                            return Some([&child[..], rest].concat());
                        }
                        None
                    }
                }
            };
            let imports: BTreeMap<_, _> = module
                .imports
                .iter()
                .filter_map(|(name, path)| Some((name.clone(), absolute(path)?)))
                .collect();
            let of_import = |path: &Path| -> Option<Path> {
                let (first, rest) = path.split_first()?;
                let import = imports.get(first).filter(|_| !rest.is_empty())?;
                Some([&import[..], rest].concat())
            };
            let references = module.references.iter().filter_map(|reference| {
                let imported = || of_import(&reference.path).filter(|_| !reference.is_import);
                Some(Reference {
                    path: absolute(&reference.path).or_else(imported)?,
                    ..*reference
                })
            });
            let resolved = Module {
                file: module.file.clone(),
                items: module.items.clone(),
                globs: module.globs.iter().filter_map(absolute).collect(),
                references: references.collect(),
                imports,
            };
            all.insert(at.clone(), resolved);
        }
        self.modules = all;
    }
}

fn collect_names(tokens: &[Token], names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            Token::Word(name) => {
                names.insert(name.clone());
            }
            Token::Group(_, inner) => collect_names(inner, names),
            Token::Sign(_) | Token::Literal => {}
        }
    }
}

/// Reads the modules of one file.
struct Reader<'a> {
    file: &'a str,
    modules: &'a mut BTreeMap<Path, Module>,
    /// Modules that stand in files of their own.
    files: Vec<Path>,
}

impl Reader<'_> {
    fn module(&mut self, path: &Path, tokens: &[Token]) {
        let module = Module {
            file: self.file.to_owned(),
            ..Module::default()
        };
        self.modules.insert(path.clone(), module);
        self.scope(path, tokens, true);
    }

    /// Reads what stands in a module, or in brackets within it.
    fn scope(&mut self, path: &Path, tokens: &[Token], is_module: bool) {
        let mut is_public = false;
        let mut at = 0;
        while at < tokens.len() {
            let rest = &tokens[at..];
            if let Some(length) = test_item(rest) {
                at += length;
                continue;
            }
            let was_public = std::mem::take(&mut is_public);
            at += match &rest[0] {
                Token::Word(word) => match word.as_str() {
                    "pub" => {
                        is_public = true;
                        visibility(rest)
                    }
                    "use" if !rest.get(1).is_some_and(|token| token.is_sign('<')) => {
                        self.import(path, rest, was_public, is_module)
                    }
                    "mod" if is_module => self.child(path, rest),
                    word => {
                        if is_module {
                            self.item(path, word, rest);
                        }
                        self.path(path, word, rest)
                    }
                },
                Token::Group(_, inner) => {
                    self.scope(path, inner, false);
                    1
                }
                Token::Sign(_) | Token::Literal => 1,
            };
        }
    }

    fn this(&mut self, path: &Path) -> &mut Module {
        self.modules.entry(path.clone()).or_default()
    }

    /// Reads `use …;`; gives the number of tokens.
    fn import(&mut self, path: &Path, tokens: &[Token], is_export: bool, is_module: bool) -> usize {
        let end = tokens.iter().position(|token| token.is_sign(';'));
        let end = end.unwrap_or(tokens.len());
        let mut leaves = Vec::new();
        leaves_of_use(&[], &tokens[1..end], &mut leaves);
        for (leaf, name) in leaves {
            let module = self.this(path);
            if is_module {
                match &name {
                    Some(name) => {
                        module.imports.insert(name.clone(), leaf.clone());
                    }
                    None => module.globs.push(leaf.clone()),
                }
            }
            module.references.push(Reference {
                path: leaf,
                is_import: true,
                is_export,
            });
        }
        end + 1
    }

    /// Reads `mod name;` or `mod name { … }`; gives the number of tokens.
    fn child(&mut self, path: &Path, tokens: &[Token]) -> usize {
        let [_, Token::Word(name), body, ..] = tokens else {
            return 1;
        };
        let below = [&path[..], std::slice::from_ref(name)].concat();
        match body.group('{') {
            Some(body) => self.module(&below, body),
            None => self.files.push(below),
        }
        3
    }

    /// Takes note of an item that begins with `word`.
    fn item(&mut self, path: &Path, word: &str, tokens: &[Token]) {
        let at = match word {
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => 1,
            "macro_rules" => 2,
            _ => return,
        };
        if let Some(Token::Word(name)) = tokens.get(at) {
            self.this(path).items.insert(name.clone());
        }
    }

    /// Takes note of a path of two names or more that begins with `first`; gives
    /// the number of tokens.
    fn path(&mut self, path: &Path, first: &str, tokens: &[Token]) -> usize {
        let mut names = vec![first.to_owned()];
        let mut at = 1;
        while let Some([Token::Sign(':'), Token::Sign(':'), Token::Word(name)]) =
            tokens.get(at..at + 3)
        {
            names.push(name.clone());
            at += 3;
        }
        if names.len() > 1 {
            self.this(path).references.push(Reference {
                path: names,
                is_import: false,
                is_export: false,
            });
        }
        at
    }
}

/// The paths of a `use`, each with its name in the module; one that brings in
/// everything has none.
fn leaves_of_use(before: &[String], tokens: &[Token], leaves: &mut Vec<(Path, Option<String>)>) {
    for tree in tokens.split(|token| token.is_sign(',')) {
        let mut path = before.to_vec();
        let mut name = None;
        for (at, token) in tree.iter().enumerate() {
            match token {
                Token::Word(word) if word == "as" => {
                    if let Some(Token::Word(alias)) = tree.get(at + 1) {
                        name = Some(alias.clone());
                    }
                    break;
                }
                Token::Word(word) if word == "self" && !path.is_empty() => {}
                Token::Word(word) => path.push(word.clone()),
                Token::Group(_, inner) => {
                    leaves_of_use(&path, inner, leaves);
                    path.clear();
                }
                Token::Sign('*') => leaves.push((std::mem::take(&mut path), None)),
                Token::Sign(_) | Token::Literal => {}
            }
        }
        if let Some(last) = path.last() {
            let name = name.unwrap_or_else(|| last.clone());
            leaves.push((path, Some(name)));
        }
    }
}

/// The number of tokens of `pub` or `pub(…)`, if there is one.
fn visibility(tokens: &[Token]) -> usize {
    match tokens {
        [word, Token::Group('(', _), ..] if word.is_word("pub") => 2,
        [word, ..] if word.is_word("pub") => 1,
        _ => 0,
    }
}

/// The number of tokens of an item that is there for tests alone.
fn test_item(tokens: &[Token]) -> Option<usize> {
    let attribute = |at: usize| match tokens.get(at..at + 2) {
        Some([Token::Sign('#'), Token::Group('[', inner)]) => Some(inner),
        _ => None,
    };
    let [name, Token::Group('(', condition)] = &attribute(0)?[..] else {
        return None;
    };
    let is_test = match &condition[..] {
        [test] => test.is_word("test"),
        [all, Token::Group('(', conditions)] => {
            let mut conditions = conditions.split(|token| token.is_sign(','));
            all.is_word("all")
                && conditions.any(|parts| matches!(parts, [test] if test.is_word("test")))
        }
        _ => false,
    };
    if !name.is_word("cfg") || !is_test {
        return None;
    }
    let mut at = 2;
    while attribute(at).is_some() {
        at += 2;
    }
    let item = &tokens[at..];
    let head = &item[visibility(item)..];
    let is = |at: usize, words: &[&str]| {
        let word = head.get(at);
        word.is_some_and(|word| words.iter().any(|expected| word.is_word(expected)))
    };
    // The braces of these are not their end.
    let ends_with_sign = is(0, &["use", "const", "static", "type", "let"]) && !is(1, &["fn"]);
    let length = item
        .iter()
        .position(|token| token.is_sign(';') || (!ends_with_sign && token.group('{').is_some()));
    Some(length.map_or(tokens.len(), |length| at + length + 1))
}

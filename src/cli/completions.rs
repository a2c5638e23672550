//! Arguments of `tarsus completions` and `tarsus man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

const COMPLETIONS: &str = "\
Examples:
  tarsus completions bash > ~/.local/share/bash-completion/completions/tarsus
  tarsus completions fish > ~/.config/fish/completions/tarsus.fish
  tarsus completions zsh > ~/.zfunc/_tarsus      with ~/.zfunc in fpath";

const MAN: &str = "\
Examples:
  tarsus man ~/.local/share/man/man1 && man tarsus-capture";

/// `tarsus completions`
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionsArgs {
    /// Shell to complete commands in
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `tarsus man`
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub struct ManArgs {
    /// Folder for tarsus.1 and a page per command, created if missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

//! Arguments of `tarsus docs`.

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tarsus docs            all modules, a line each
  tarsus docs ik         functions and types of tarsus::ik with their comments";

/// `tarsus docs`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct DocsArgs {
    /// A module, such as limb; without it, all modules are listed
    #[arg(value_name = "MODULE")]
    pub module: Option<String>,
}

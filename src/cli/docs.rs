//! Arguments of `tarsus docs`.

use clap::Args;

/// `tarsus docs`
#[derive(Args, Debug)]
pub struct DocsArgs {
    /// A module, such as limb; without it, all modules are listed
    #[arg(value_name = "MODULE")]
    pub module: Option<String>,
}

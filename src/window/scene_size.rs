//! Size of the window that the scene declares.

/// Follows the size that scenes declare for their picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SceneSize {
    /// True if the user has chosen a size for all scenes.
    is_overridden: bool,
    /// Size declared by the current scene.
    declared: Option<(u32, u32)>,
}

impl SceneSize {
    /// Starts without a scene; `given` is the size on the command line.
    pub(super) fn new(given: Option<(u32, u32)>) -> Self {
        Self { is_overridden: given.is_some(), declared: None }
    }

    /// The size to request when a loaded scene declares `declared`; `None` to keep the
    /// current one. A reload that declares the same size as before keeps the size that the
    /// user has given the window since, and an opened file that `has_size` keeps its own.
    pub(super) fn change(
        &mut self,
        declared: Option<(u32, u32)>,
        has_size: bool,
    ) -> Option<(u32, u32)> {
        let is_kept = self.is_overridden || has_size || self.declared == declared;
        self.declared = declared;
        declared.filter(|_| !is_kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_sizes_resize() {
        let (small, large) = (Some((64, 64)), Some((512, 512)));
        let mut size = SceneSize::new(None);
        for (declared, has_size, expected) in [
            (small, false, small),
            (small, false, None),
            (large, false, large),
            (None, false, None),
            (large, false, large),
            (small, true, None),
            (small, false, None),
        ] {
            assert_eq!(size.change(declared, has_size), expected, "{declared:?}");
        }
        assert_eq!(SceneSize::new(large).change(small, false), None);
    }
}

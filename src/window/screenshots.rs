//! Screenshots that were asked for: one picture per request, also for requests
//! that come faster than frames.

/// Counts the requests.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Screenshots {
    wanted: u32,
}

impl Screenshots {
    /// Asks for one more.
    pub(super) fn request(&mut self) {
        self.wanted = self.wanted.saturating_add(1);
    }

    /// True if one is to be taken now; it counts as taken.
    pub(super) fn take(&mut self) -> bool {
        let takes = self.wanted > 0;
        self.wanted = self.wanted.saturating_sub(1);
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_gives_one_picture() {
        let mut screenshots = Screenshots::default();
        assert!(!screenshots.take());
        for _ in 0..3 {
            screenshots.request();
        }
        let taken = (0..10).filter(|_| screenshots.take()).count();
        assert_eq!(taken, 3);
    }
}

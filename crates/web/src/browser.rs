//! Browser services: time, timers, date and functions of the page.

use js_sys::{Date, Function, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Seconds since the page was opened.
pub(super) fn now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now() / 1e3)
}

/// Shadertoy's `iDate` in local time: year, month from 0, day, seconds since midnight.
pub(super) fn date() -> [f64; 4] {
    let now = Date::new_0();
    let minutes = 60 * now.get_hours() + now.get_minutes();
    let seconds = f64::from(60 * minutes + now.get_seconds());
    [
        f64::from(now.get_full_year()),
        f64::from(now.get_month()),
        f64::from(now.get_date()),
        seconds + f64::from(now.get_milliseconds()) * 1e-3,
    ]
}

/// Waits for at least `milliseconds`.
pub(super) async fn sleep(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            // If the call fails, there is no page left to wait.
            let _ = window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
        }
    });
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}

/// Compresses bytes by an asynchronous function of the page.
///
/// # Errors
/// Fails as the function does.
pub(super) async fn compress(bytes: &[u8], by: &Function) -> Result<Vec<u8>, JsValue> {
    let promise = Promise::from(by.call1(&JsValue::NULL, &Uint8Array::from(bytes))?);
    Ok(Uint8Array::new(&JsFuture::from(promise).await?).to_vec())
}

//! Style of the overlay: small, unobtrusive, translucent.

use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Frame, Pos2, Rect, Response, Sense,
    StrokeKind, TextStyle, TextureId, Ui, Visuals, vec2,
};

/// Primary text.
pub(super) const STRONG: Color32 = Color32::from_rgb(236, 238, 242);
/// Secondary text.
pub(super) const WEAK: Color32 = Color32::from_rgb(172, 178, 188);
/// Active or selected elements.
pub(super) const ACCENT: Color32 = Color32::from_rgb(240, 172, 88);
/// Errors and the recording indicator.
pub(super) const RED: Color32 = Color32::from_rgb(255, 104, 92);

/// Applies the overlay's style to `context`.
pub(super) fn apply(context: &Context) {
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Body, font(12.0));
        style.text_styles.insert(TextStyle::Button, font(12.0));
        style.text_styles.insert(TextStyle::Small, font(10.5));
        style.text_styles.insert(TextStyle::Heading, font(13.0));
        let mono = FontId::new(12.0, FontFamily::Monospace);
        style.text_styles.insert(TextStyle::Monospace, mono);
        style.spacing.item_spacing = vec2(6.0, 5.0);
        style.spacing.slider_width = 116.0;
        style.spacing.interact_size.y = 16.0;
        style.interaction.selectable_labels = false;
        style.spacing.scroll = egui::style::ScrollStyle::solid();
        style.visuals = visuals();
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.override_text_color = Some(STRONG);
    visuals.selection.bg_fill = ACCENT.gamma_multiply(0.75);
    visuals.slider_trailing_fill = true;
    visuals.widgets.inactive.bg_fill = Color32::from_white_alpha(38);
    visuals.widgets.inactive.weak_bg_fill = Color32::from_white_alpha(20);
    visuals.extreme_bg_color = Color32::from_black_alpha(120);
    visuals
}

/// Adds a picture, or a dark rectangle without one, with a border if it is selected or under the
/// pointer, above `text_height` points for text. Returns the place of the picture.
pub(super) fn card(
    ui: &mut Ui,
    (width, height): (f32, f32),
    text_height: f32,
    texture: Option<TextureId>,
    is_selected: bool,
) -> (Rect, Response) {
    let size = vec2(width, height + text_height);
    // Not focusable: the arrow keys are handled by the viewer.
    let (whole, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::HOVER);
    let rect = Rect::from_min_size(whole.min, vec2(width, height));
    let painter = ui.painter();
    match texture {
        Some(texture) => {
            let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            painter.image(texture, rect, whole, Color32::WHITE);
        }
        None => {
            painter.rect_filled(rect, 0.0, Color32::from_gray(25));
        }
    }
    if is_selected || response.hovered() {
        let width = if is_selected { 2.5 } else { 1.0 };
        let stroke = (width, ACCENT);
        painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
    }
    (rect, response)
}

/// A translucent frame.
pub(super) fn sheet() -> Frame {
    Frame::new()
        .fill(Color32::from_rgba_unmultiplied(14, 16, 20, 168))
        .corner_radius(6)
        .inner_margin(egui::Margin::symmetric(10, 7))
}

/// A more opaque frame, for longer text.
pub(super) fn solid_sheet() -> Frame {
    sheet().fill(Color32::from_rgba_unmultiplied(14, 16, 20, 228)).inner_margin(16)
}

// The help dialog with the keyboard shortcuts.

import { h, iconButton } from "./dom";
import { HELP } from "./keys";

export function help(): void {
  const sheet = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "help-title" },
    h("div", { class: "sheet-head" }, h("h2", { id: "help-title" }, "Keys"), iconButton("close", "Close", () => sheet.close())),
    h("dl", { class: "keys" }, ...HELP.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])),
    h("p", { class: "muted" }, "Where a scene reads the keyboard, hold Ctrl or Alt for letters, digits, Space and arrows."),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  document.body.append(sheet);
  sheet.showModal();
}

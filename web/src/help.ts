// The help dialog: gestures and keyboard shortcuts.

import { h, iconButton } from "./dom";
import { HELP } from "./keys";

export function help(): void {
  const sheet = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "help-title" },
    h("div", { class: "sheet-head" }, h("h2", { id: "help-title" }, "Help"), iconButton("close", "Close", () => sheet.close())),
    ...HELP.map(({ title, entries }) => h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...entries.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])))),
    h("p", { class: "muted" }, "In scenes that read the keyboard, hold Ctrl or Alt for letters, digits, Space and arrows."),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  document.body.append(sheet);
  sheet.showModal();
}

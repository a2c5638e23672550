// The user's scenes in the gallery: open, rename, copy and delete.

import { all, type Draft, fork, remove, retitle, save } from "./drafts";
import { editInPlace, h, iconButton, toast, toastError } from "./dom";

/** Fills the section of the drafts, and hides it if there are none. */
export function showDrafts(section: HTMLElement): void {
  const drafts = all();
  section.hidden = drafts.length === 0;
  section.querySelector("ul")?.replaceChildren(...drafts.map((draft) => tile(draft, () => showDrafts(section))));
}

/** `changed` is called after every change of the drafts. */
function tile(draft: Draft, changed: () => void): HTMLElement {
  const { fragment, title, still, saved } = draft;
  const name = h("b", {}, title || "untitled");
  const rename = (): void =>
    editInPlace(name, "Title of the scene", (title) => {
      if (!retitle(fragment, title)) toastError(`cannot rename ${draft.title}: this browser has no space left`);
      changed();
    });
  const copy = (): void => {
    if (fork({ ...draft, title: `${title} copy` }) === null) toastError(`cannot copy ${title}: this browser has no space left`);
    changed();
  };
  const drop = (): void => {
    remove(fragment);
    changed();
    const undo = (): void => {
      save(draft);
      changed();
    };
    toast(`${title} was deleted`, { label: "Undo", run: undo });
  };
  return h(
    "li",
    { class: "draft" },
    h("a", { href: `#${fragment}`, "aria-label": title }, still ? h("img", { src: still, alt: "" }) : h("span", { class: "no-still" }, "no picture yet")),
    h("div", { class: "draft-head" }, name, iconButton("pen", `Rename ${title}`, rename), iconButton("copy", `Copy ${title}`, copy), iconButton("bin", `Delete ${title}`, drop)),
    h("span", { class: "muted" }, new Date(saved).toLocaleDateString(undefined, { dateStyle: "medium" })),
  );
}

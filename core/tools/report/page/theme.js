// SPDX-License-Identifier: Apache-2.0
// Light, dark, or as the system says. Nothing is stored: a file:// page shares its storage with others.
(function() {
const root = document.documentElement, choice = document.getElementById("theme"),
      system = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
const show = () => {
  choice.textContent = isDark() ? "Light" : "Dark";
  for (const redraw of redraws) redraw();
};
choice.hidden = false;
choice.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  show();
});
system.addEventListener("change", show);
show();
})();

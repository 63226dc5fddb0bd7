import { render } from "preact";
import { App } from "./app.tsx";
import { pickLanguage } from "./texts.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
const language = pickLanguage(navigator.languages);
document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
const place = document.getElementById("page");
if (place !== null) {
  place.replaceChildren();
  render(<App language={language} />, place);
}

// Nothing is here: said in the language of whoever came.

import { pageWords } from "./page.js";

await pageWords("404");

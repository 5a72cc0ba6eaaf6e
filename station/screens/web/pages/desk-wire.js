// The desk's way to the station.

import { wireTo } from "./wire.js";

export const { ask, act } = wireTo("/desk", "X-Loto-Desk");

// The station's voice in the browser: the same clips, one after another, without a gap.

import { make, setText } from "./line.js";
import { SETTLE_MS, nextToSay } from "./saying.js";

// Clips are fetched beforehand, a few at a time: a call must not wait for the network.
const FETCHERS = 4;
// The rate of the voice packs: nothing to convert, and half the memory on a phone.
const RATE = 22050;

// So long before the end of an announcement the next is given to the audio clock.
const LEAD_MS = 60;

// Safari reads the clips' own form, Ogg Vorbis, from iOS 18.4 on only.
const KIND = document.createElement("audio").canPlayType('audio/ogg; codecs="vorbis"') ? "ogg" : "wav";

// The sign of a hall that is muted (station.calling.outputs.MUTED).
const MUTED = "sound";

/** Whether the caller has turned the hall's sound off: then no page speaks either. */
export const isMuted = ({ signs }) => signs.some(({ device }) => device === MUTED);

export class Voice extends EventTarget {
  #context = null;
  #volume = null; // what every clip goes through
  #muted = false;
  #clips = new Map();
  #free = 0; // when, on the context's clock, the next clip may start
  #said = null; // the newest announcement seen, spoken or not
  #waiting = []; // announcements that were not spoken yet
  #pace = 0;
  #speaks = false;
  #timer = null;

  /** Whether announcements are spoken. */
  get on() {
    return this.#context?.state === "running";
  }

  /** Starts; only a person's press may (browsers refuse sound before that). */
  async start() {
    this.#context ??= new AudioContext({ sampleRate: RATE, latencyHint: "interactive" });
    this.#context.onstatechange = () => this.#changed();
    this.#volume ??= this.#through(this.#context);
    await this.#context.resume();
    const names = await (await fetch("/clips.json")).json();
    const fetchNext = async () => {
      for (let name = names.shift(); name; name = names.shift()) await this.#clip(name).catch(() => null);
    };
    await Promise.all(Array.from({ length: FETCHERS }, fetchNext));
  }

  /** Falls silent, in the middle of a word if need be. */
  async stop() {
    const context = this.#context;
    this.#context = this.#volume = null;
    this.#free = 0;
    this.#waiting = [];
    await context?.close();
    this.#changed();
  }

  /** Off, or on again, what is being said included: it goes on unheard. */
  mute(muted) {
    this.#muted = muted;
    if (this.#volume) this.#volume.gain.value = muted ? 0 : 1;
  }

  #through(context) {
    const volume = new GainNode(context, { gain: this.#muted ? 0 : 1 });
    volume.connect(context.destination);
    return volume;
  }

  /**
   * Speaks an announcement, once. What was said before the page came is not said again, nor what is old by now: one that came
   * `late` when the page woke, or waited longer than the `pace` of the calls (seconds), while there is a newer one.
   */
  hear(say, { late = false, pace = Infinity } = {}) {
    // Not "greater than": a restarted station counts from the start again.
    const fresh = this.#said !== null && say !== null && say.token !== this.#said;
    this.#said = say?.token ?? 0;
    if (!fresh || !this.on) return;
    this.#waiting.push({ say, late, at: Date.now() });
    this.#pace = pace * 1000;
    this.#next();
  }

  /** One announcement after another, also when the clips of the first are still being fetched. */
  async #next() {
    if (this.#speaks) return;
    clearTimeout(this.#timer);
    const { next, rest, wait } = nextToSay(this.#waiting, Date.now(), this.#pace);
    this.#waiting = rest;
    if (wait !== null) this.#nextIn(wait);
    if (next === null) return;
    this.#speaks = true;
    await this.#speak(next.say).catch((error) => this.trouble(error));
    this.#speaks = false;
    this.#next();
  }

  /** A timer that rings long after its time woke with the page: what came meanwhile is read first. */
  #nextIn(wait) {
    const due = Date.now() + wait;
    this.#timer = setTimeout(() => (Date.now() - due > SETTLE_MS ? this.#nextIn(SETTLE_MS) : this.#next()), wait);
  }

  async #speak(say) {
    const context = this.#context;
    const buffers = await Promise.all(say.clips.map((name) => this.#clip(name)));
    if (context === null || context !== this.#context) return;
    this.#tell("saying", say);
    for (const [index, buffer] of buffers.entries()) {
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(this.#volume);
      const at = Math.max(this.#free, context.currentTime);
      this.#free = at + buffer.duration;
      source.start(at);
      source.onended = () => this.#tell("heard", { clip: say.clips[index], last: index === buffers.length - 1 });
    }
    // Not decided before then: by the end of this one there may be a newer one.
    const left = (this.#free - context.currentTime) * 1000 - LEAD_MS;
    await new Promise((done) => setTimeout(done, Math.max(0, left)));
  }

  #clip(name) {
    if (!this.#clips.has(name)) {
      const clip = this.#fetch(name);
      // A clip that failed is asked for again the next time.
      clip.catch(() => this.#clips.delete(name));
      this.#clips.set(name, clip);
    }
    return this.#clips.get(name);
  }

  async #fetch(name) {
    const answer = await fetch(`/clips/${encodeURIComponent(name)}.${KIND}`);
    if (!answer.ok) throw new Error(await answer.text());
    return this.#context.decodeAudioData(await answer.arrayBuffer());
  }

  /** Lets the page know that something could not be spoken. */
  trouble(error) {
    console.warn("an announcement could not be spoken:", error.message);
    this.#tell("trouble", error);
  }

  #changed() {
    this.#tell("change", this.on);
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** Makes a button turn the voice on and off. */
export function soundButton(button, voice, words) {
  const icon = make("span", { class: "sound-icon", "aria-hidden": "true" });
  const label = make("span", { class: "sound-label" });
  button.append(icon, label);
  const draw = () => {
    setText(label, words[voice.on ? "sound-off" : "wants-sound"]);
    button.setAttribute("aria-pressed", String(voice.on));
  };
  voice.addEventListener("change", draw);
  voice.addEventListener("trouble", () => setText(label, words["no-sound"]));
  button.addEventListener("click", () => (voice.on ? voice.stop() : voice.start().catch((error) => voice.trouble(error))));
  draw();
}

// The scheduled runs in the menu. A change of one is a sentence of a new conversation, which asks before it does anything.

import { html } from "./vendor/preact.js"
import { Icon, fill, timeFormat } from "./parts.js"

/** A time as the clocks of the run's zone show it; the zone is named where it is not the one of this machine. */
function timeIn(zone, moment, language) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    const time = timeFormat(language, zone).format(moment)
    return zone === here ? time : `${time} (${zone})`
  } catch {  // a zone that the server knows and this browser does not
    return `${timeFormat(language).format(moment)} (${here})`
  }
}

function stateOf(w, run, language) {
  if (run.running) return w["run_state.running"]
  if (run.paused) return w["run_state.paused"]
  return run.next_due ? fill(w["run_state.due"], { due: timeIn(run.zone, new Date(run.next_due), language) }) : w["run_state.over"]
}

function Run({ w, run, language, onSay }) {
  const change = (which) => html`<button type="button" class="quiet" onClick=${() => onSay(fill(w[`ask.run.${which}`], run))}
    aria-label=${fill(w.run_action, { action: w[`run_do.${which}`], name: run.name })}>${w[`run_do.${which}`]}</button>`
  return html`<li><${Icon} name="clock" /><div class="about">
    <span class="name">${run.name}</span>
    <span class="when">${stateOf(w, run, language)}</span>
    <span class="when">${fill(w.run_to, { places: run.places.join(", ") })}</span>
    ${run.last && html`<span class="when ${run.last === "failed" ? "bad" : ""}">${w[`run_last.${run.last}`]}</span>`}
    ${run.last === "failed" && html`<span class="when bad">${run.told}</span>`}
    ${onSay && html`<span class="changes-of-run">${change(run.paused ? "resume" : "pause")}${change("now")}${change("cancel")}</span>`}
  </div></li>`
}

/** Without `onSay`, the runs are only shown. */
export const Runs = ({ w, runs, language, onSay }) => html`<h3>${w.runs}</h3>
  ${runs.length > 0 && html`<ul class="runs">${runs.map((run) => html`<${Run} key=${run.name} w=${w} run=${run} language=${language} onSay=${onSay} />`)}</ul>`}
  ${runs.length === 0 && html`<p class="dim">${w.no_runs}</p>`}${onSay && html`<p class="dim">${w.runs_hint}</p>`}`

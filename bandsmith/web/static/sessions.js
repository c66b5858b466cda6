// The menu: the user's reports, their data sources and scheduled runs, and the calendar.

import { html, useEffect, useState } from "./vendor/preact.js"
import * as api from "./api.js"
import { Dialog, Icon, IconButton, fill, timeFormat } from "./parts.js"
import { Runs } from "./runs.js"

/** What a new conversation may be for besides a report. */
const Modes = ({ w, sources, onMode }) => html`<h3>${w.sources}</h3>
    ${sources.length > 0 && html`<ul class="sources">${sources.map((one) => html`<li key=${one.name}><${Icon} name="store" />
      <span>${one.name} <span class="when">${one.dialect}</span></span>
      <button type="button" class="quiet" aria-label=${fill(w.mode_ask, { name: one.name })} onClick=${() => onMode({ kind: "ask", source: one.name })}>${w.do_ask}</button>
      <button type="button" class="quiet" aria-label=${fill(w.mode_analyse, { name: one.name })} onClick=${() => onMode({ kind: "analyse", source: one.name })}>${w.do_analyse}</button></li>`)}</ul>`}
    <p class="dim">${sources.length > 0 ? w.sources_hint : w.no_sources}</p>
    <h3>${w.calendar}</h3>
    <button type="button" class="plan" onClick=${() => onMode({ kind: "plan" })}><${Icon} name="calendar" />${w.mode_plan}</button>
    <p class="dim">${w.calendar_hint}</p>`

export function Sessions({ w, canEdit, current, language, onOpen, onNew, onMode, onSay, onClose, onDeleted }) {
  const [sessions, setSessions] = useState(null)
  const [sources, setSources] = useState([])
  const [runs, setRuns] = useState([])
  const [deleting, setDeleting] = useState(null)
  useEffect(() => {
    api.listSessions().then(setSessions, () => setSessions([]))
    api.listRuns().then(setRuns, () => setRuns([]))
    if (canEdit) api.listSources().then(setSources, () => setSources([]))
  }, [])
  const remove = async () => {
    await api.deleteSession(deleting.id)
    setSessions(sessions.filter((one) => one.id !== deleting.id))
    setDeleting(null)
    onDeleted(deleting.id)
  }
  const when = timeFormat(language)
  const name = (one) => one.name || w.untitled
  return html`<${Dialog} class="drawer" label=${w.sessions} onClose=${onClose}>
    <header><h2>${w.sessions}</h2><${IconButton} icon="close" label=${w.close} onClick=${onClose} /></header>
    ${canEdit && html`<button type="button" class="primary new" onClick=${onNew}><${Icon} name="plus" />${w.new_session}</button>`}
    ${sessions === null && html`<p class="empty">${w.loading}</p>`}
    ${sessions?.length === 0 && html`<p class="empty">${w.no_sessions}</p>`}
    <ul>${sessions?.map((one) => html`<li key=${one.id} class=${one.id === current ? "current" : ""}>
      <button type="button" class="open" onClick=${() => onOpen(one.id)}>
        <span class="thumb">${one.page ? html`<img src=${one.page} alt="" loading="lazy" />` : html`<${Icon} name="sheet" />`}</span>
        <span class="about"><span class="name">${name(one)}</span><span class="when">${one.changed ? when.format(new Date(one.changed)) : ""}</span></span></button>
      ${canEdit && html`<${IconButton} icon="bin" label=${fill(w.delete_session, { name: name(one) })} onClick=${() => setDeleting(one)} />`}</li>`)}</ul>
    ${(canEdit || runs.length > 0) && html`<${Runs} w=${w} runs=${runs} language=${language} onSay=${canEdit ? onSay : null} />`}
    ${canEdit && html`<${Modes} w=${w} sources=${sources} onMode=${onMode} />`}
    ${deleting && html`<${Dialog} class="confirm" label=${w.delete} onClose=${() => setDeleting(null)}>
      <p>${fill(w.confirm_delete, { name: name(deleting) })}</p>
      <div class="buttons"><button type="button" onClick=${() => setDeleting(null)}>${w.cancel}</button>
        <button type="button" class="danger" onClick=${remove}>${w.delete}</button></div><//>`}
  <//>`
}

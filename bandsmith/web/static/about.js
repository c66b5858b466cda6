// The dialog of one report: its name, and the links that show it to others.

import { html, useState } from "./vendor/preact.js"
import * as api from "./api.js"
import { Dialog, IconButton } from "./parts.js"

const DAYS = [1, 7, 30, 90]

function Name({ w, session, name, onRenamed, trying }) {
  const [text, setText] = useState(name)
  const wanted = text.trim()
  const save = (event) => {
    event.preventDefault()
    trying(async () => {
      await api.renameSession(session, wanted)
      onRenamed(wanted)
    })
  }
  return html`<form class="field" onSubmit=${save}><label><span>${w.name}</span>
    <input value=${text} maxlength="64" onInput=${(event) => setText(event.target.value)} /></label>
    <button disabled=${!wanted || wanted === name}>${w.save}</button></form>`
}

function Links({ w, session, trying }) {
  const [days, setDays] = useState(7)
  const [link, setLink] = useState("")
  const [said, setSaid] = useState("")
  const make = () => trying(async () => {
    setLink(new URL(await api.shareSession(session, days), location.origin).href)
    setSaid("")
  })
  const revoke = () => trying(async () => {
    await api.unshareSession(session)
    setLink("")
    setSaid(w.unshared)
  })
  const copy = () => trying(async () => {
    await navigator.clipboard.writeText(link)
    setSaid(w.copied)
  })
  return html`<h3>${w.share}</h3><p class="dim">${w.share_hint}</p>
    <div class="field"><label><span>${w.share_days}</span>
      <select value=${days} onChange=${(event) => setDays(+event.target.value)}>${DAYS.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
      <button type="button" class="primary" onClick=${make}>${w.share_make}</button></div>
    ${link && html`<div class="field"><label><span>${w.share_link}</span><input readonly value=${link} onFocus=${(event) => event.target.select()} /></label>
      <button type="button" onClick=${copy}>${w.copy}</button></div>`}
    <div class="field"><p class="dim" role="status">${said}</p><button type="button" class="quiet" onClick=${revoke}>${w.unshare}</button></div>`
}

export function About({ w, session, name, onRenamed, onClose }) {
  const [error, setError] = useState("")
  const trying = async (work) => {
    setError("")
    try {
      await work()
    } catch (problem) {
      setError(problem.message || w.offline)
    }
  }
  return html`<${Dialog} class="confirm" label=${w.about} onClose=${onClose}>
    <header><h2>${w.about}</h2><${IconButton} icon="close" label=${w.close} onClick=${onClose} /></header>
    <${Name} w=${w} session=${session} name=${name} onRenamed=${onRenamed} trying=${trying} />
    <${Links} w=${w} session=${session} trying=${trying} />
    ${error && html`<p class="error" role="alert">${error}</p>`}<//>`
}

// The conversation: past turns, turns under way, and the box to write in.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js"
import { Answer, Query, Results } from "./answer.js"
import { nameOf } from "./meaning.js"
import { Icon, IconButton, fill } from "./parts.js"

export const ACCEPTED = ".png,.jpg,.jpeg,.bmp,.tif,.tiff,.webp,.pdf,.docx,.xlsx,.jrxml,.txt,.md,.csv"

const Files = ({ names }) =>
  names.length > 0 && html`<ul class="files">${names.map((name) => html`<li><${Icon} name="sheet" />${name}</li>`)}</ul>`

const Asked = ({ w, text, files }) => html`<div class="asked"><span class="visually-hidden">${w.you}</span>
  <${Files} names=${files} />${text && html`<p>${text}</p>`}</div>`

/** `isNew`: whether the version that the turn ended with is not the one of the turn before. */
function Past({ turn, w, question, isNew, onShow }) {
  // A question is shown as a card below, not twice.
  const reply = question && turn.reply === question.text ? "" : turn.reply || w.failed
  return html`<li class="turn">
    ${(turn.text || turn.files.length > 0) && html`<${Asked} w=${w} ...${turn} />`}
    <div class="reply ${turn.failed ? "bad" : ""}"><span class="visually-hidden">${w.it}</span>
      ${reply && html`<${Answer} text=${reply} />`}
      ${turn.query && html`<${Query} w=${w} text=${turn.query} />`}
      <${Results} w=${w} results=${turn.results} />
      ${turn.notes.map((note) => html`<p class="note">${note}</p>`)}
      ${turn.version && isNew && html`<button type="button" class="link" onClick=${() => onShow(turn.version)}>${fill(w.version, { number: turn.version })}</button>`}
    </div></li>`
}

function Steps({ w, steps, isQueued }) {
  const shown = steps.filter((node) => w[`step.${node}`])
  const last = shown.length - 1
  if (isQueued || shown.length === 0) {
    return html`<ol class="steps"><li class="now"><span class="mark"></span>${isQueued ? w.queued : w.working}</li></ol>`
  }
  return html`<ol class="steps">${shown.map(
    (node, number) => html`<li key=${number} class=${number === last ? "now" : "done"}>
      <span class="mark">${number < last && html`<${Icon} name="check" />`}</span>${w[`step.${node}`]}</li>`,
  )}</ol>`
}

const Live = ({ turn, w, onCancel }) => html`<li class="turn">
  ${(turn.text || turn.files.length > 0) && html`<${Asked} w=${w} text=${turn.text} files=${turn.files} />`}
  <div class="reply live"><${Steps} w=${w} ...${turn} />
    ${onCancel && html`<button type="button" class="link" disabled=${turn.isCancelling} onClick=${() => onCancel(turn.turn)}>${turn.isCancelling ? w.stopping : w.stop}</button>`}</div></li>`

const Refused = ({ turn, w }) => html`<li class="turn">
  ${turn.text && html`<${Asked} w=${w} text=${turn.text} files=${[]} />`}<div class="reply bad"><p>${turn.message || w.failed}</p></div></li>`

function Question({ w, question, onAnswer }) {
  const isConfirmation = question.kind === "confirmation"
  return html`<section class="question" aria-label=${w.question}><${Answer} text=${question.text} />
    ${onAnswer && (isConfirmation
      ? html`<div class="choices"><button type="button" class="primary" onClick=${() => onAnswer(true)}>${w.yes}</button>
          <button type="button" onClick=${() => onAnswer(false)}>${w.no}</button></div>`
      : html`<p class="note">${w.answer_below}</p>`)}</section>`
}

const NEAR_PX = 40

/** Keeps a list that is at its end there while it or its place changes size: pictures come later, and the report beside it. */
function staysAtEnd(log) {
  let isAtEnd = true
  const scrolled = () => { if (log.clientHeight) isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX }
  const sizes = new ResizeObserver(() => { if (isAtEnd) log.scrollTop = log.scrollHeight })
  for (const one of [log, ...log.children]) sizes.observe(one)
  log.addEventListener("scroll", scrolled)
  return () => { sizes.disconnect(); log.removeEventListener("scroll", scrolled) }
}

export function Log({ w, session, onShow, onCancel, onAnswer }) {
  const { details, live, refused } = session
  const question = live.length === 0 ? details?.question : null
  const end = useRef()
  const length = (details?.turns.length ?? 0) + live.length + refused.length + live.reduce((sum, one) => sum + one.steps.length, 0)
  const log = useRef()
  useLayoutEffect(() => end.current?.scrollIntoView({ block: "end" }), [length])
  useEffect(() => staysAtEnd(log.current), [])
  return html`<div class="log" ref=${log} tabindex="0" role="log" aria-label=${w.conversation}>
    <ol>${details?.turns.map((turn, number) => html`<${Past} key=${turn.turn} turn=${turn} w=${w} isNew=${turn.version !== details.turns[number - 1]?.version} question=${number === details.turns.length - 1 ? question : null} onShow=${onShow} />`)}
      ${refused.map((turn) => html`<${Refused} key=${turn.turn} turn=${turn} w=${w} />`)}
      ${live.map((turn) => html`<${Live} key=${turn.turn} turn=${turn} w=${w} onCancel=${onCancel} />`)}</ol>
    ${question && html`<${Question} w=${w} question=${question} onAnswer=${onAnswer} />`}
    <div ref=${end}></div></div>`
}

export function Composer({ w, placeholder, mode, onNoMode, files, setFiles, selected, onClear, onSend, error }) {
  const [text, setText] = useState("")
  const box = useRef()
  const picker = useRef()
  const camera = useRef()
  useEffect(() => {
    box.current.style.height = "auto"
    box.current.style.height = `${Math.min(box.current.scrollHeight, 180)}px`
  }, [text, placeholder])
  const canSend = text.trim() || files.length > 0
  const send = async (event) => {
    event?.preventDefault()
    if (canSend && (await onSend(text.trim(), files))) setText("")
  }
  const keys = (event) => {
    // The Enter that ends a word of an input method sends nothing.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event)
  }
  const picked = (event) => {
    setFiles([...files, ...event.target.files])
    event.target.value = ""
  }
  return html`<form class="composer" onSubmit=${send}>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${(files.length > 0 || selected > 0 || mode) && html`<div class="chips">
      ${mode && html`<button type="button" class="chip accent" onClick=${onNoMode}><${Icon} name=${mode.kind === "plan" ? "calendar" : "store"} />
        ${nameOf(w, mode)}<span class="visually-hidden">${w.mode_off}</span><${Icon} name="close" /></button>`}
      ${selected > 0 && html`<button type="button" class="chip accent" onClick=${onClear}>
        ${selected === 1 ? w.selected_one : fill(w.selected_many, { count: selected })}
        <span class="visually-hidden">${w.clear_selection}</span><${Icon} name="close" /></button>`}
      ${files.map((file) => html`<button type="button" class="chip" aria-label=${fill(w.remove, { name: file.name })}
        onClick=${() => setFiles(files.filter((one) => one !== file))}><${Icon} name="sheet" />${file.name}<${Icon} name="close" /></button>`)}</div>`}
    <div class="box">
      <input ref=${picker} type="file" hidden multiple accept=${ACCEPTED} onChange=${picked} />
      <${IconButton} icon="clip" label=${w.attach} onClick=${() => picker.current.click()} />
      <input ref=${camera} type="file" hidden accept="image/*" capture="environment" onChange=${picked} />
      <${IconButton} class="touch" icon="camera" label=${w.camera} onClick=${() => camera.current.click()} />
      <textarea ref=${box} id="message" rows="1" aria-label=${w.message} placeholder=${placeholder} value=${text}
        onInput=${(event) => setText(event.target.value)} onKeyDown=${keys}></textarea>
      <button class="icon-button send" aria-label=${w.send} title=${w.send} disabled=${!canSend}><${Icon} name="send" /></button>
    </div></form>`
}

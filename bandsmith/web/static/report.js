// The report: its page with elements to select, the form beside it, versions and downloads.

import { html, useEffect, useRef, useState } from "./vendor/preact.js"
import { Icon, IconButton, fill } from "./parts.js"

const COLOURS = ["black", "grey", "red", "green", "blue"]
const DOWNLOADS = { "report.pdf": "pdf", "report.jrxml": "jrxml", "data.json": "data" }

/** Elements in reading order: from the top, then from the left; larger ones first, so that those on them can be hit. */
function ordered(elements) {
  const visible = elements.filter(({ box }) => box.width > 2 && box.height > 2)
  return visible.toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}

function Marks({ w, elements, size, selection, onSelect }) {
  const [at, setAt] = useState(0)
  const group = useRef()
  const marks = ordered(elements)
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
  const keys = (event) => {
    if (!steps[event.key]) return
    event.preventDefault()
    const next = Math.min(marks.length - 1, Math.max(0, at + steps[event.key]))
    setAt(next)
    group.current.children[next]?.focus()
  }
  const percent = (part, whole) => `${(part / whole) * 100}%`
  return html`<div class="marks" ref=${group} role="group" aria-label=${w.hint_select} onKeyDown=${keys}>${marks.map(
    ({ key, text, box }, number) => html`<button type="button" key=${number} class="mark"
      aria-label=${fill(w.element, { text: text?.trim() || key })} aria-pressed=${selection.includes(key)}
      tabindex=${number === Math.min(at, marks.length - 1) ? 0 : -1}
      onFocus=${() => setAt(number)}
      onClick=${(event) => onSelect(key, event.shiftKey || event.ctrlKey || event.metaKey)}
      style=${{
        left: percent(box.x, size.width), top: percent(box.y, size.height),
        width: percent(box.width, size.width), height: percent(box.height, size.height),
      }} />`,
  )}</div>`
}

function Page({ w, version, number, view, cut, selection, onSelect }) {
  const [size, setSize] = useState(null)
  const loaded = ({ target }) => {
    const points = (pixels) => (pixels * 72) / version.dpi
    setSize({ width: points(target.naturalWidth), height: points(target.naturalHeight) })
  }
  const hasForm = number === 1 && version.form
  const canSelect = number === 1 && size && view === "report"
  return html`<div class="page" style=${{ "--cut": `${view === "form" ? 100 : view === "compare" ? cut : 0}%` }}>
    <img src=${version.pages[number - 1]} alt=${fill(w.page_of, { number })} onLoad=${loaded} />
    ${hasForm && view !== "report" && html`<img class="form" src=${version.form} alt=${w.form_picture} />`}
    ${hasForm && view === "compare" && html`<div class="edge"></div>`}
    ${canSelect && html`<${Marks} w=${w} elements=${version.elements} size=${size} selection=${selection} onSelect=${onSelect} />`}
  </div>`
}

const Bar = ({ w, onAsk }) => html`<div class="bar" role="toolbar" aria-label=${w.format_bar}>
  <button type="button" class="icon-button letter" aria-label=${w.bold} title=${w.bold} onClick=${() => onAsk("bold")}><b aria-hidden="true">B</b></button>
  <button type="button" class="icon-button letter" aria-label=${w.larger} title=${w.larger} onClick=${() => onAsk("larger")}><span aria-hidden="true">A<sup>+</sup></span></button>
  <button type="button" class="icon-button letter" aria-label=${w.smaller} title=${w.smaller} onClick=${() => onAsk("smaller")}><span aria-hidden="true">A<sup>−</sup></span></button>
  <span class="rule"></span>
  ${["left", "center", "right"].map((side) => html`<${IconButton} icon=${side} label=${w[`align_${side}`]} onClick=${() => onAsk(`align_${side}`)} />`)}
  <span class="rule"></span>
  <span class="swatches" role="group" aria-label=${w.colour}>${COLOURS.map(
    (colour) => html`<button type="button" class="swatch ${colour}" aria-label=${w[colour]} title=${w[colour]} onClick=${() => onAsk(colour)}></button>`,
  )}</span>
  <span class="rule"></span>
  <${IconButton} icon="bin" label=${w.delete_element} onClick=${() => onAsk("delete")} /></div>`

const Views = ({ w, view, setView }) => html`<div class="segments" role="group" aria-label=${w.view}>${["report", "compare", "form"].map(
  (one) => html`<button type="button" aria-pressed=${view === one} onClick=${() => setView(one)}>${w[`view_${one}`]}</button>`,
)}</div>`

function Downloads({ w, files }) {
  const menu = useRef()
  const leave = (event) => {
    if (!menu.current.contains(event.relatedTarget)) menu.current.open = false
  }
  const keys = (event) => {
    if (event.key !== "Escape") return
    menu.current.open = false
    menu.current.querySelector("summary").focus()
  }
  return html`<details class="downloads" ref=${menu} onFocusOut=${leave} onKeyDown=${keys}>
    <summary class="button"><${Icon} name="down" />${w.download}</summary>
    <div class="menu">${Object.entries(files).map(
      ([name, link]) => html`<a href=${link} download=${name} onClick=${() => (menu.current.open = false)}>${w[DOWNLOADS[name]] ?? name}</a>`,
    )}</div></details>`
}

const Versions = ({ w, versions, shown, current, onShow }) => html`<nav class="versions" aria-label=${w.versions}>${versions.map(
  (one) => html`<button type="button" key=${one.number} class=${one.passed === false ? "bad" : ""} aria-current=${one.number === shown ? "true" : null}
    aria-label=${[fill(w.version, { number: one.number }), one.number === current && w.current, one.passed === false && w.has_errors].filter(Boolean).join(", ")}
    title=${one.request || fill(w.version, { number: one.number })} onClick=${() => onShow(one.number)}>
    <span class="thumb">${one.page ? html`<img src=${one.page} alt="" loading="lazy" />` : html`<${Icon} name="sheet" />`}</span>
    <span class="number">${one.number}${one.number === current && html`<span class="dot"></span>`}</span></button>`,
)}</nav>`

function Findings({ w, findings, language, onSelect }) {
  if (findings.length === 0) return null
  const label = findings.length === 1 ? w.findings_one : fill(w.findings_many, { count: findings.length })
  return html`<details class="findings"><summary>${label}</summary><ul>${findings.map((one) => {
    const sentence = (language === "zh" && one.message_zh) || one.message
    return html`<li>${one.element ? html`<button type="button" class="link" onClick=${() => onSelect(one.element, false)}>${sentence}</button>` : sentence}</li>`
  })}</ul></details>`
}

/** What speaks against a template that was made from a form. */
function Warning({ w, version, language }) {
  if (!["small_edits", "start_over"].includes(version.grade)) return null
  const reasons = version.findings.filter(({ code }) => code.startsWith("grade."))
  return html`<div class="notice ${version.grade}" role="status"><span><strong>${w[version.grade]}</strong> ${reasons
    .map((one) => (language === "zh" && one.message_zh) || one.message)
    .join(language === "zh" ? "" : " ")}</span></div>`
}

export function Report({ w, language, details, version, selection, onSelect, onClear, onShow, onRestore, onAsk, onUndo }) {
  const [view, setView] = useState("report")
  const [cut, setCut] = useState(50)
  const isCurrent = version.number === details.current
  useEffect(() => {
    if (!version.form) setView("report")
  }, [version.number])
  return html`<div class="report">
    <div class="tools">
      <${IconButton} icon="undo" label=${w.undo} disabled=${!details.can_undo} onClick=${() => onUndo("undo")} />
      <${IconButton} icon="redo" label=${w.redo} disabled=${!details.can_redo} onClick=${() => onUndo("redo")} />
      <span class="grow">${version.form && html`<${Views} w=${w} view=${view} setView=${setView} />`}</span>
      <${Downloads} w=${w} files=${version.files} />
    </div>
    ${!isCurrent && html`<div class="notice" role="status"><span>${fill(w.looking_at, { number: version.number })}</span>
      <button type="button" class="link" onClick=${() => onShow(null)}>${w.back_to_current}</button>
      <button type="button" class="primary" onClick=${onRestore}>${fill(w.restore, { number: version.number })}</button></div>`}
    <${Warning} w=${w} version=${version} language=${language} />
    <div class="canvas" tabindex="0" role="region" aria-label=${w.report} onClick=${(event) => event.target === event.currentTarget && onClear()}>
      ${version.pages.length === 0 && html`<p class="empty">${w.no_preview}</p>`}
      ${version.pages.map((_, index) => html`<${Page} key=${`${version.number}-${index}`} w=${w} version=${version} number=${index + 1} view=${view} cut=${cut}
        selection=${selection} onSelect=${onSelect} />`)}
      <${Findings} w=${w} findings=${version.findings.filter(({ code }) => !code.startsWith("grade."))} language=${language} onSelect=${onSelect} />
      ${view === "report" && version.pages.length > 0 && selection.length === 0 && html`<p class="hint">${w.hint_select}</p>`}
    </div>
    ${view === "compare" && html`<div class="slider"><input type="range" min="0" max="100" value=${cut} aria-label=${w.slider} onInput=${(event) => setCut(+event.target.value)} /></div>`}
    ${selection.length > 0 && view === "report" && isCurrent && html`<${Bar} w=${w} onAsk=${onAsk} />`}
    ${details.versions.length > 1 && html`<${Versions} w=${w} versions=${details.versions} shown=${version.number} current=${details.current} onShow=${onShow} />`}
  </div>`
}

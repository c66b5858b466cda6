// The report: its page with elements to select, what it is compared with, its data, versions and downloads.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js"
import * as api from "./api.js"
import { Bar, chosen, remove, toggleBold } from "./bar.js"
import { DataEditor } from "./data.js"
import { Icon, IconButton, fill } from "./parts.js"

const DOWNLOADS = { "report.pdf": "pdf", "report.jrxml": "jrxml", "data.json": "data" }
const SHOWS_PAGES = new Set(["report", "compare", "form", "versions"])
const isTouched = () => matchMedia("(pointer: coarse)").matches
const ASKED = ["xlsx", "docx", "java"]  // made when they are asked for; they come in the conversation

/** Elements in reading order: from the top, then from the left; larger ones first, so that those on them can be hit. */
function ordered(elements) {
  const visible = elements.filter(({ box }) => box.width > 2 && box.height > 2)
  return visible.toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}

function Marks({ w, elements, size, selection, faulty, onSelect }) {
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
    ({ key, kind, text, box }, number) => html`<button type="button" key=${number} class="mark ${faulty.has(key) ? "faulty" : ""}"
      aria-label=${fill(faulty.has(key) ? w.element_faulty : w.element, { text: text?.trim() || w[`kind.${kind}`] || key })} aria-pressed=${selection.includes(key)}
      tabindex=${number === Math.min(at, marks.length - 1) ? 0 : -1}
      onFocus=${() => setAt(number)}
      onClick=${(event) => onSelect(key, event.shiftKey || event.ctrlKey || event.metaKey)}
      style=${{
        left: percent(box.x, size.width), top: percent(box.y, size.height),
        width: percent(box.width, size.width), height: percent(box.height, size.height),
      }} />`,
  )}</div>`
}

/** Frames around the elements that are different. */
const Differences = ({ boxes, size }) => html`<div class="differences" aria-hidden="true">${boxes.map(
  ({ x, y, width, height }) => html`<div style=${{
    left: `${(x / size.width) * 100}%`, top: `${(y / size.height) * 100}%`,
    width: `${(width / size.width) * 100}%`, height: `${(height / size.height) * 100}%`,
  }}></div>`,
)}</div>`

function Page({ w, version, number, over, overLabel, cut, boxes, canSelect, selection, faulty, onSelect }) {
  const [size, setSize] = useState(null)
  const loaded = ({ target }) => {
    const points = (pixels) => (pixels * 72) / version.dpi
    setSize({ width: points(target.naturalWidth), height: points(target.naturalHeight) })
  }
  return html`<div class="page" style=${{ "--cut": `${cut}%` }}>
    <img src=${version.pages[number - 1]} alt=${fill(w.page_of, { number })} onLoad=${loaded} />
    ${over && html`<img class="form" src=${over} alt=${overLabel} />`}
    ${over && cut < 100 && html`<div class="edge"></div>`}
    ${boxes.length > 0 && number === 1 && size && html`<${Differences} boxes=${boxes} size=${size} />`}
    ${canSelect && number === 1 && size && html`<${Marks} w=${w} elements=${version.elements} size=${size} selection=${selection} faulty=${faulty} onSelect=${onSelect} />`}
  </div>`
}

const Views = ({ w, views, view, setView }) => html`<div class="segments views" role="group" aria-label=${w.view}>${views.map(
  (one) => html`<button type="button" key=${one} aria-pressed=${view === one} onClick=${() => setView(one)}>${w[`view_${one}`]}</button>`,
)}</div>`

function Downloads({ w, files, onJrxml7, onExport }) {
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
    )}
      <button type="button" onClick=${() => { menu.current.open = false; onJrxml7() }}>${w.jrxml7}</button>
      ${onExport && ASKED.map((format) => html`<button type="button" onClick=${() => { menu.current.open = false; onExport(format) }}>${w[`as_${format}`]}</button>`)}</div></details>`
}

function Versions({ w, versions, shown, current, onShow }) {
  const strip = useRef()
  useLayoutEffect(() => strip.current.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [shown, versions.length])
  return html`<nav class="versions" ref=${strip} aria-label=${w.versions}>${versions.map(
    (one) => html`<button type="button" key=${one.number} class=${one.passed === false ? "bad" : ""} aria-current=${one.number === shown ? "true" : null}
      aria-label=${[fill(w.version, { number: one.number }), one.number === current && w.current, one.passed === false && w.has_errors].filter(Boolean).join(", ")}
      title=${one.request || fill(w.version, { number: one.number })} onClick=${() => onShow(one.number)}>
      <span class="thumb">${one.page ? html`<img src=${one.page} alt="" loading="lazy" />` : html`<${Icon} name="sheet" />`}</span>
      <span class="number">${one.number}${one.number === current && html`<span class="dot"></span>`}</span></button>`,
  )}</nav>`
}

function Findings({ w, findings, elements, language, onSelect }) {
  if (findings.length === 0) return null
  const label = findings.length === 1 ? w.findings_one : fill(w.findings_many, { count: findings.length })
  const isPrinted = (key) => elements.some((one) => one.key === key)
  return html`<details class="findings" open=${findings.some((one) => one.severity === "error")}><summary>${label}</summary><ul>${findings.map((one) => {
    const sentence = (language === "zh" && one.message_zh) || one.message
    return html`<li class=${one.severity}>${isPrinted(one.element)
      ? html`<button type="button" class="link" onClick=${() => onSelect(one.element)}>${sentence}</button>` : sentence}</li>`
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

/** The picture that is laid over page 1, and how much of it is shown, in percent. */
function overlay({ w, view, version, other, number, cut }) {
  if (view === "versions" && other) return { over: other.pages[number - 1], overLabel: fill(w.page_of_version, { number: other.number }), cut }
  if (number > 1 || !version.form) return { cut: 0 }
  if (view === "form") return { over: version.form, overLabel: w.form_picture, cut: 100 }
  return view === "compare" ? { over: version.form, overLabel: w.form_picture, cut } : { cut: 0 }
}

/** What is different on page 1: from another version, or from the form as far as findings name elements. */
function differencesOf({ view, version, other, changes }) {
  const boxesOf = (elements, keys) => elements.filter(({ key }) => keys.has(key)).map(({ box }) => box)
  if (view === "versions" && other) {
    const keys = new Set(changes.map(({ element }) => element))
    return [...boxesOf(version.elements, keys), ...boxesOf(other.elements, keys)]
  }
  return view === "compare" ? boxesOf(version.elements, new Set(version.findings.map(({ element }) => element))) : []
}

function Pages({ w, version, other, view, cut, changes, selection, faulty, onSelect }) {
  if (view === "changes") return html`<img class="changes" src=${version.compare} alt=${w.changes_picture} />`
  return version.pages.map((_, index) => html`<${Page} key=${`${version.number}-${index}`} w=${w} version=${version} number=${index + 1}
    ...${overlay({ w, view, version, other, number: index + 1, cut })} boxes=${differencesOf({ view, version, other, changes })} canSelect=${view === "report"} selection=${selection} faulty=${faulty} onSelect=${onSelect} />`)
}

/** The version that another one is compared with. */
function useOther(session, number, shown) {
  const [other, setOther] = useState(null)
  useEffect(() => {
    if (number === null || number === shown) return setOther(null)
    let isLatest = true
    api.showVersion(session, number).then((found) => isLatest && setOther(found), () => isLatest && setOther(null))
    return () => { isLatest = false }
  }, [session, number, shown])
  return other
}

/** What is different in the current version from the one that is shown. */
function useChanges(session, number, other, language) {
  const [changes, setChanges] = useState([])
  useEffect(() => {
    setChanges([])
    if (!other) return
    let isLatest = true
    api.diffVersions(session, other.number, number).then((found) => isLatest && setChanges(found), () => {})
    return () => { isLatest = false }
  }, [session, number, other, language])
  return changes
}

const Changes = ({ w, changes }) =>
  changes.length > 0 && html`<section class="findings" aria-label=${w.changed}><p>${w.changed}</p><ul>${changes.map(({ message }) => html`<li>${message}</li>`)}</ul></section>`

function views(version, other) {
  const found = ["report"]
  if (version.form) found.push("compare", "form")
  if (version.compare) found.push("changes")
  if (other) found.push("versions")
  return [...found, "data"]
}

function Slider({ w, label, cut, setCut }) {
  return html`<div class="slider"><input type="range" min="0" max="100" value=${cut} aria-label=${label} onInput=${(event) => setCut(+event.target.value)} /></div>`
}

export function Report({ w, session, language, details, version, selection, canEdit, isBusy, onSelect, onClear, onShow, onRestore, onEdit, onFill, onSource, onUndo, onExport, onJrxml7 }) {
  const [wanted, setView] = useState("report")
  const [cut, setCut] = useState(50)
  const canvas = useRef()
  const hasData = useRef(false)
  const isCurrent = version.number === details.current
  const isOpen = isCurrent && canEdit
  const other = useOther(session, isCurrent ? null : details.current, version.number)
  const changes = useChanges(session, version.number, other, language)
  const available = views(version, other)
  const view = available.includes(wanted) ? wanted : "report"
  if (view === "data") hasData.current = true
  const faulty = new Set(version.findings.filter((one) => one.severity === "error").map((one) => one.element))

  const lead = (key) => {
    setView("report")
    if (!selection.includes(key)) onSelect(key, false)
    setTimeout(() => canvas.current?.querySelector('.mark[aria-pressed="true"]')?.focus())
  }
  const keys = (event) => {
    const selected = chosen(version.elements, selection)
    if (!isOpen || isBusy || view !== "report" || !selected.length || event.target.matches("input, textarea")) return
    const texts = selected.filter(({ look }) => look)
    if (event.key === "Delete" || event.key === "Backspace") onEdit(remove(selected))
    else if ((event.ctrlKey || event.metaKey) && event.key === "b" && texts.length) onEdit(toggleBold(texts))
    else return
    event.preventDefault()
  }
  return html`<div class="report" onKeyDown=${keys}>
    <div class="tools">
      ${canEdit && html`<${IconButton} icon="undo" label=${w.undo} disabled=${!details.can_undo} onClick=${() => onUndo("undo")} />
        <${IconButton} icon="redo" label=${w.redo} disabled=${!details.can_redo} onClick=${() => onUndo("redo")} />`}
      <span class="grow"><${Views} w=${w} views=${available} view=${view} setView=${setView} /></span>
      <${Downloads} w=${w} files=${version.files} onJrxml7=${onJrxml7} onExport=${isOpen && !isBusy ? onExport : null} />
    </div>
    ${!isCurrent && html`<div class="notice" role="status"><span>${fill(w.looking_at, { number: version.number })}</span>
      ${other && html`<button type="button" class="link" aria-pressed=${view === "versions"} onClick=${() => setView(view === "versions" ? "report" : "versions")}>${w.compare_versions}</button>`}
      <button type="button" class="link" onClick=${() => onShow(null)}>${w.back_to_current}</button>
      ${canEdit && html`<button type="button" class="primary" onClick=${onRestore}>${fill(w.restore, { number: version.number })}</button>`}</div>`}
    <${Warning} w=${w} version=${version} language=${language} />
    <div class="canvas" ref=${canvas} tabindex="0" role="region" aria-label=${w.report} onClick=${(event) => event.target === event.currentTarget && onClear()}>
      ${hasData.current && html`<${DataEditor} w=${w} session=${session} number=${version.number} language=${language} isHidden=${view !== "data"} isCurrent=${isOpen} isBusy=${isBusy}
        onEdit=${onEdit} onFile=${onFill} onSource=${onSource} />`}
      ${view !== "data" && version.pages.length === 0 && html`<p class="empty">${w.no_preview}</p>`}
      ${view !== "data" && html`<${Pages} w=${w} version=${version} other=${other} view=${view} cut=${cut} changes=${changes} selection=${selection} faulty=${faulty} onSelect=${onSelect} />`}
      ${SHOWS_PAGES.has(view) && version.page_count > version.pages.length && version.pages.length > 0 && html`<p class="hint">${fill(w.first_pages, { shown: version.pages.length, count: version.page_count })}</p>`}
      ${view === "versions" && html`<${Changes} w=${w} changes=${changes} />`}
      ${view !== "data" && html`<${Findings} w=${w} findings=${version.findings.filter(({ code }) => !code.startsWith("grade."))} elements=${version.elements} language=${language} onSelect=${lead} />`}
      ${view === "report" && version.pages.length > 0 && selection.length === 0 && isOpen && html`<p class="hint">${isTouched() ? w.hint_touch : w.hint_select}</p>`}
    </div>
    ${view === "compare" && html`<${Slider} w=${w} label=${w.slider} cut=${cut} setCut=${setCut} />`}
    ${view === "versions" && html`<${Slider} w=${w} label=${w.slider_versions} cut=${cut} setCut=${setCut} />`}
    ${selection.length > 0 && view === "report" && isOpen && html`<${Bar} w=${w} elements=${version.elements} selection=${selection} isBusy=${isBusy} onEdit=${onEdit} />`}
    ${details.versions.length > 1 && html`<${Versions} w=${w} versions=${details.versions} shown=${version.number} current=${details.current} onShow=${onShow} />`}
  </div>`
}

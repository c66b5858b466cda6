// The data of the report as a table: its values and rows are changed here, and the report is filled with them at once.

import { html, useEffect, useRef, useState } from "./vendor/preact.js"
import * as api from "./api.js"
import { Icon, IconButton, fill } from "./parts.js"

const MAX_ROWS = 1000
const TABLES = ".csv,.xlsx,.json"
const INPUTS = { number: "decimal", date: "numeric", moment: "text", time: "text", text: "text" }

const shown = (value) => (value === null || value === undefined ? "" : String(value))

/** What was typed, as the report takes it; the server checks it against the field's type. */
function typed(text, kind) {
  if (text === "") return null
  if (kind === "flag") return text === "true"
  return kind === "number" && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

const isWrong = (text, kind) => kind === "number" && text !== "" && !/^-?[\d.,\s]*\d[\d.,\s]*$/.test(text)

function Cell({ label, kind, value, onChange, onPaste }) {
  if (kind === "flag") {
    return html`<input type="checkbox" aria-label=${label} checked=${value === "true"} onChange=${(event) => onChange(String(event.target.checked))} />`
  }
  return html`<input class=${kind} aria-label=${label} inputmode=${INPUTS[kind]} value=${value} aria-invalid=${isWrong(value, kind)}
    onInput=${(event) => onChange(event.target.value)} onPaste=${onPaste} />`
}

const draftOf = ({ rows, columns, parameters }) => ({
  rows: rows.map((row) => columns.map(({ name }) => shown(row[name]))),
  values: parameters.map(({ value }) => shown(value)),
})

function Rows({ w, columns, rows, setRows }) {
  const change = (at, column, text) => setRows(rows.map((row, number) => (number === at ? row.with(column, text) : row)))
  /** A block that was copied from a spreadsheet fills the cells from this one on. */
  const paste = (event, at, column) => {
    const block = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "").split(/\r?\n/).map((line) => line.split("\t"))
    if (block.length === 1 && block[0].length === 1) return
    event.preventDefault()
    const missing = Math.max(0, Math.min(MAX_ROWS, at + block.length) - rows.length)
    const whole = [...rows, ...Array.from({ length: missing }, () => columns.map(() => ""))]
    setRows(whole.map((row, number) => row.map((text, index) => block[number - at]?.[index - column] ?? text)))
  }
  return html`<table><thead><tr>${columns.map(({ name, label, kind }) => html`<th scope="col" class=${kind} title=${name}>${label}</th>`)}
      <th><span class="visually-hidden">${w.delete}</span></th></tr></thead>
    <tbody>${rows.map((row, at) => html`<tr key=${at}>${columns.map(({ label, kind }, column) => html`<td><${Cell} kind=${kind} value=${row[column]}
        label=${fill(w.cell, { label, row: at + 1 })} onChange=${(text) => change(at, column, text)} onPaste=${(event) => paste(event, at, column)} /></td>`)}
      <td>${rows.length > 1 && html`<${IconButton} icon="close" label=${fill(w.remove_row, { row: at + 1 })} onClick=${() => setRows(rows.toSpliced(at, 1))} />`}</td></tr>`)}
    </tbody></table>
    <button type="button" class="quiet add" disabled=${rows.length >= MAX_ROWS} onClick=${() => setRows([...rows, columns.map(() => "")])}>
      <${Icon} name="plus" />${w.add_row}</button>`
}

/** The edits that turn the stored data into what was typed. */
function editsOf(table, { rows, values }) {
  const before = draftOf(table)
  const changed = table.parameters.filter((_, number) => values[number] !== before.values[number])
  const edits = []
  if (changed.length) {
    const entries = changed.map((one) => [one.name, typed(values[table.parameters.indexOf(one)], one.kind)])
    edits.push({ do: "set_parameters", values: Object.fromEntries(entries) })
  }
  if (JSON.stringify(rows) !== JSON.stringify(before.rows)) {
    const filled = rows.map((row) => Object.fromEntries(table.columns.map(({ name, kind }, column) => [name, typed(row[column], kind)])))
    edits.push({ do: "add_rows", rows: filled, replace: true })
  }
  return edits
}

/** What was typed and is not stored yet, on the data of a newer version: what that version has changed itself counts. */
function rebased(before, draft, table) {
  const was = draftOf(before)
  const now = draftOf(table)
  const names = ({ columns, parameters }) => JSON.stringify([columns.map(({ name }) => name), parameters.map(({ name }) => name)])
  if (names(before) !== names(table)) return now
  const isSame = JSON.stringify(was.rows) === JSON.stringify(now.rows)
  return {
    rows: isSame ? draft.rows : now.rows,
    values: now.values.map((value, at) => (value === was.values[at] ? draft.values[at] : value)),
  }
}

/** The sources that may fill the report, once they are known. */
function useSources(isWanted) {
  const [sources, setSources] = useState([])
  useEffect(() => { if (isWanted) api.listSources().then(setSources, () => {}) }, [isWanted])
  return sources
}

/** It stays in the page while another view is shown, with what was typed. */
export function DataEditor({ w, session, number, language, isHidden, isCurrent, isBusy, onEdit, onFile, onSource }) {
  const [table, setTable] = useState(null)
  const [draft, setDraft] = useState(null)
  const picker = useRef()
  const typedInto = useRef()
  typedInto.current = { table, draft }
  const shownSession = useRef(session)
  const sources = useSources(isCurrent)
  useEffect(() => {
    let isLatest = true
    const last = typedInto.current
    const isKept = isCurrent && last.table && last.draft && shownSession.current === session
    if (!isKept) setTable(null)
    shownSession.current = session
    const show = (found) => {
      if (!isLatest) return
      const { table, draft } = typedInto.current
      setTable(found)
      setDraft(isKept && table && draft ? rebased(table, draft, found) : draftOf(found))
    }
    api.showData(session, number).then(show, () => isLatest && setTable(undefined))
    return () => { isLatest = false }
  }, [session, number, language])
  if (isHidden && !(table && draft)) return null
  if (table === undefined) return html`<p class="empty">${w.no_data}</p>`
  if (table === null || !draft) return html`<p class="empty">${w.loading}</p>`
  const edits = editsOf(table, draft)
  const isLong = table.rows.length > MAX_ROWS
  const save = (event) => { event.preventDefault(); if (edits.length && !isBusy) onEdit(edits) }
  const setValue = (at, text) => setDraft({ ...draft, values: draft.values.with(at, text) })
  return html`<form class="data" hidden=${isHidden} onSubmit=${save}>
    <div class="actions"><p>${w.data_hint}</p>
      <input ref=${picker} type="file" hidden accept=${TABLES} onChange=${(event) => { onFile(event.target.files[0]); event.target.value = "" }} />
      <button type="button" disabled=${isBusy || !isCurrent} onClick=${() => picker.current.click()}>${w.fill_with_file}</button>
      ${sources.map(({ name }) => html`<button type="button" key=${name} disabled=${isBusy || !isCurrent} onClick=${() => onSource(name)}>${fill(w.fill_from, { name })}</button>`)}
      <button class="primary" disabled=${!edits.length || isBusy || !isCurrent}>${isBusy ? w.working : w.fill_report}</button></div>
    <fieldset disabled=${!isCurrent || isLong}><legend class="visually-hidden">${w.view_data}</legend>
      ${isLong && html`<p class="empty">${fill(w.too_many_rows, { count: table.rows.length })}</p>`}
      ${table.parameters.length > 0 && html`<div class="values">${table.parameters.map(({ name, label, kind }, at) => html`<label key=${name}><span>${label}</span>
        <${Cell} kind=${kind} label=${label} value=${draft.values[at]} onChange=${(text) => setValue(at, text)} /></label>`)}</div>`}
      ${table.columns.length > 0 && !isLong && html`<${Rows} w=${w} columns=${table.columns} rows=${draft.rows} setRows=${(rows) => setDraft({ ...draft, rows })} />`}
      ${table.columns.length + table.parameters.length === 0 && html`<p class="empty">${w.no_fields}</p>`}
    </fieldset></form>`
}

// The bar below the page: it changes the selected elements by typed edits, without a sentence.

import { html, useEffect, useState } from "./vendor/preact.js"
import { Icon, IconButton } from "./parts.js"

const COLOURS = { black: "#000000", grey: "#808080", red: "#ff0000", green: "#008000", blue: "#0000ff" }
const SIDES = { left: "Left", center: "Center", right: "Right" }
const MIN_SIZE_PT = 4
const MAX_SIZE_PT = 96

const set = (element, name, value) => ({ do: "set", element, name, value })
const inRange = (size) => Math.min(MAX_SIZE_PT, Math.max(MIN_SIZE_PT, size))

/** The selected elements, each once: a row's element is printed in every row. */
export const chosen = (elements, selection) =>
  selection.map((key) => elements.find((one) => one.key === key)).filter(Boolean)

export const toggleBold = (texts) => {
  const isBold = texts.every(({ look }) => look.bold)
  return texts.map(({ key }) => set(key, "isBold", String(!isBold)))
}
export const remove = (selected) => selected.map(({ key }) => ({ do: "delete", element: key }))

/** The value that all texts share, or undefined. */
const shared = (texts, of) => (texts.every((one) => of(one) === of(texts[0])) ? of(texts[0]) : undefined)

function Wording({ w, element, onEdit }) {
  const [text, setText] = useState(element.text ?? "")
  useEffect(() => setText(element.text ?? ""), [element.key, element.text])
  const save = (event) => {
    event.preventDefault()
    if (text.trim() && text !== element.text) onEdit([{ do: "text", element: element.key, text }])
  }
  return html`<form class="wording" onSubmit=${save}>
    <input aria-label=${w.wording} value=${text} maxlength="500" onInput=${(event) => setText(event.target.value)} />
    ${text.trim() && text !== element.text && html`<${IconButton} type="submit" icon="check" label=${w.save} />`}
    <span class="rule"></span></form>`
}

function TextTools({ w, texts, onEdit }) {
  const bold = texts.every(({ look }) => look.bold)
  const size = shared(texts, ({ look }) => look.size)
  const align = shared(texts, ({ look }) => look.align)
  const colour = shared(texts, ({ look }) => look.colour)
  const resize = (by) => onEdit(texts.map(({ key, look }) => set(key, "fontSize", String(inRange(look.size + by)))))
  const resizeTo = (event) => {
    const wanted = Number(event.target.value)
    if (!Number.isFinite(wanted) || wanted <= 0) return (event.target.value = size ?? "")
    const exact = inRange(Math.round(wanted * 10) / 10)
    if (exact !== size) onEdit(texts.map(({ key }) => set(key, "fontSize", String(exact))))
  }
  return html`
    <${IconButton} icon="bold" label=${w.bold} aria-pressed=${bold} onClick=${() => onEdit(toggleBold(texts))} />
    <span class="rule"></span>
    <${IconButton} icon="minus" label=${w.smaller} onClick=${() => resize(-1)} />
    <input class="size" inputmode="decimal" aria-label=${w.size} title=${w.size} value=${size ?? ""} placeholder="–" onChange=${resizeTo} />
    <${IconButton} icon="plus" label=${w.larger} onClick=${() => resize(1)} />
    <span class="rule"></span>
    ${Object.entries(SIDES).map(([side, value]) => html`<${IconButton} icon=${side} label=${w[`align_${side}`]} aria-pressed=${align === value}
      onClick=${() => onEdit(texts.map(({ key }) => set(key, "textAlignment", value)))} />`)}
    <span class="rule"></span>
    <span class="swatches" role="group" aria-label=${w.colour}>${Object.entries(COLOURS).map(
      ([name, value]) => html`<button type="button" class="swatch ${name}" aria-label=${w[name]} title=${w[name]} aria-pressed=${colour === value}
        onClick=${() => onEdit(texts.map(({ key }) => set(key, "forecolor", value)))}></button>`,
    )}</span>
    <span class="rule"></span>`
}

export function Bar({ w, elements, selection, isBusy, onEdit }) {
  const selected = chosen(elements, selection)
  const texts = selected.filter(({ look }) => look)
  const send = (edits) => !isBusy && edits.length > 0 && onEdit(edits)
  const only = selected.length === 1 && selected[0].kind === "staticText" ? selected[0] : null
  return html`<div class="bar ${isBusy ? "busy" : ""}" role="toolbar" aria-label=${w.format_bar} aria-busy=${isBusy}>
    ${only && html`<${Wording} w=${w} element=${only} onEdit=${send} />`}
    ${texts.length > 0 && html`<${TextTools} w=${w} texts=${texts} onEdit=${send} />`}
    <${IconButton} icon="bin" label=${w.delete_element} onClick=${() => send(remove(selected))} /></div>`
}

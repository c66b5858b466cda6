// Replies as the services write them: paragraphs, lists, tables of rows, and queries.

import { html } from "./vendor/preact.js"
import { Icon, fill } from "./parts.js"

const cells = (line) => line.replace(/^\s*\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\([|<(])/g, "$1"))
const isNumber = (cell) => /^-?[\d,]+(\.\d+)?%?$/.test(cell)

function Table({ lines }) {
  const [head, , ...rows] = lines.map(cells)
  const isOfNumbers = head.map((_, number) => rows.every((row) => !row[number] || isNumber(row[number])))
  return html`<div class="rows" tabindex="0" role="region"><table><thead><tr>${head.map((one, number) => html`<th scope="col" class=${isOfNumbers[number] ? "number" : ""}>${one}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((one) => html`<td class=${isNumber(one) ? "number" : ""}>${one}</td>`)}</tr>`)}</tbody></table></div>`
}

export const Query = ({ w, text }) => html`<details class="query"><summary>${w.query}</summary><pre tabindex="0"><code>${text}</code></pre></details>`

/** Words between backticks are code. */
const words = (text) => text.split("`").map((part, number) => (number % 2 ? html`<code>${part}</code>` : part))

/** The kind of the block that a line belongs to. A line that is indented goes on with the item before it. */
function kindOf(line, last) {
  if (line.startsWith("|")) return "table"
  return line.startsWith("- ") || (last?.kind === "list" && /^ +\S/.test(line)) ? "list" : "text"
}

const List = ({ lines }) => {
  const items = []
  for (const line of lines) {
    if (line.startsWith("- ")) items.push(line.slice(2))
    else items.push(`${items.pop()} ${line.trim()}`)
  }
  return html`<ul class="items">${items.map((item) => html`<li>${words(item)}</li>`)}</ul>`
}

/** The blocks of a reply: a list, a table, a query, or plain text. */
function blocks(text) {
  const found = []
  for (const line of text.split("\n")) {
    const last = found.at(-1)
    if (last?.kind === "query" && !last.isOver) {
      if (line.startsWith("```")) last.isOver = true
      else last.lines.push(line)
    } else if (line.startsWith("```")) found.push({ kind: "query", lines: [] })
    else {
      const kind = kindOf(line, last)
      if (last?.kind === kind) last.lines.push(line)
      else found.push({ kind, lines: [line] })
    }
  }
  return found
}

export const Answer = ({ text }) =>
  blocks(text).map(({ kind, lines }) => {
    if (kind === "query") return html`<pre class="sql" tabindex="0"><code>${lines.join("\n")}</code></pre>`
    if (kind === "table" && lines.length > 2) return html`<${Table} lines=${lines} />`
    if (kind === "list") return html`<${List} lines=${lines} />`
    const paragraph = lines.join("\n").trim()
    return paragraph && html`<p>${words(paragraph)}</p>`
  })

/** Files that a turn was asked for: pictures are shown, and all of them are links. */
export const Results = ({ w, results }) =>
  Object.keys(results).length > 0 && html`${Object.entries(results).filter(([name]) => name.endsWith(".png")).map(
    ([name, link]) => html`<img class="picture" key=${name} src=${link} alt=${fill(w.picture, { name })} />`,
  )}<ul class="results">${Object.entries(results).map(
    ([name, link]) => html`<li key=${name}><a class="button" href=${link} download=${name}><${Icon} name="down" />${name}</a></li>`,
  )}</ul>`

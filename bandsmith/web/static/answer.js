// Replies as the services write them: paragraphs, tables of rows, and queries.

import { html } from "./vendor/preact.js"
import { Icon } from "./parts.js"

const cells = (line) => line.replace(/^\s*\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
const isNumber = (cell) => /^-?[\d,]+(\.\d+)?%?$/.test(cell)

function Table({ lines }) {
  const [head, , ...rows] = lines.map(cells)
  return html`<div class="rows" tabindex="0" role="region"><table><thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((one) => html`<td class=${isNumber(one) ? "number" : ""}>${one}</td>`)}</tr>`)}</tbody></table></div>`
}

export const Query = ({ w, text }) => html`<details class="query"><summary>${w.query}</summary><pre tabindex="0"><code>${text}</code></pre></details>`

/** The blocks of a reply: a table, a query, or plain text. */
function blocks(text) {
  const found = []
  for (const line of text.split("\n")) {
    const last = found.at(-1)
    if (last?.kind === "query" && !last.isOver) {
      if (line.startsWith("```")) last.isOver = true
      else last.lines.push(line)
    } else if (line.startsWith("```")) found.push({ kind: "query", lines: [] })
    else {
      const kind = line.startsWith("|") ? "table" : "text"
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
    const words = lines.join("\n").trim()
    return words && html`<p>${words}</p>`
  })

/** Links to the files that a turn was asked for. */
export const Results = ({ w, results }) =>
  Object.keys(results).length > 0 && html`<ul class="results">${Object.entries(results).map(
    ([name, link]) => html`<li><a class="button" href=${link} download=${name}><${Icon} name="down" />${name}</a></li>`,
  )}</ul>`

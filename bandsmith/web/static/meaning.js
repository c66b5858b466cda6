// What the next message is for, where that is chosen: a question about data, an analysis of it, or work to plan.

import { fill } from "./parts.js"

/** How a request says it; nothing for a message about the report, and for an answer to a question. */
export function meant(mode, question) {
  if (!mode || question) return {}
  if (mode.kind === "plan") return { planning: {} }
  return { asking: { source: mode.source, analyse: mode.kind === "analyse", review: mode.kind === "analyse" } }
}

export const nameOf = (w, mode) => fill(w[`mode_${mode.kind}`], { name: mode.source ?? "" })

export function placeholderOf(w, { mode, question, isNew, selected }) {
  if (question) return w.placeholder_answer
  if (mode) return w[`placeholder_${mode.kind}`]
  if (isNew) return w.placeholder_new
  return selected ? w.placeholder_selection : w.placeholder_change
}

// Requests to /api. An error carries the server's sentence for the user.

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? "")
    this.status = status
    this.code = problem.code ?? ""
  }
}

let language = "en"

export function setLanguage(wanted) {
  language = wanted
}

async function request(method, path, options = {}) {
  const response = await fetch(path, { method, ...options, headers: { "Accept-Language": language, ...options.headers } })
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})))
  return response.headers.get("content-type")?.includes("json") ? response.json() : null
}

const of = (session) => `/api/sessions/${encodeURIComponent(session)}`
const once = (turn) => ({ "Idempotency-Key": turn })

export const newTurn = () => crypto.randomUUID().replaceAll("-", "")
export const texts = (wanted) => request("GET", `/api/texts/${wanted}`)
export const listSessions = () => request("GET", "/api/sessions")
export const createSession = async () => (await request("POST", "/api/sessions")).id
export const deleteSession = (session) => request("DELETE", of(session))
export const showSession = (session) => request("GET", of(session))
export const showVersion = (session, number) => request("GET", `${of(session)}/versions/${number}`)
export const showData = (session, number) => request("GET", `${of(session)}/versions/${number}/data`)
/** The template for JasperReports 7; fails with the reason where it cannot be written. */
export async function fetchJrxml7(session, number) {
  const response = await fetch(`${of(session)}/versions/${number}/jrxml7`, { headers: { "Accept-Language": language } })
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})))
  return response.blob()
}
export const diffVersions = (session, number, to) => request("GET", `${of(session)}/versions/${number}/diff?to=${to}`)
export const renameSession = (session, name) => request("PATCH", of(session), { body: JSON.stringify({ name }) })
export const shareSession = async (session, days) => (await request("POST", `${of(session)}/share`, { body: JSON.stringify({ days }) })).link
export const unshareSession = (session) => request("DELETE", `${of(session)}/share`)
export const listSources = () => request("GET", "/api/sources")
export const cancelTurn = (session, turn) => request("DELETE", `${of(session)}/turns/${turn}`)
export const eventsOf = (session) => new EventSource(`${of(session)}/events`)

export const restoreVersion = (session, number, turn) =>
  request("POST", `${of(session)}/versions/${number}/restore`, { headers: once(turn) })

export const answerQuestion = (session, agrees, turn) =>
  request("POST", `${of(session)}/answer`, { body: JSON.stringify({ agrees }), headers: once(turn) })

/** `action`, `asking` and `planning` say what the turn is for, whatever the text says. */
export function startTurn(session, { turn, text = "", files = [], selection = [], edits = [], ...meant }) {
  const body = new FormData()
  body.append("text", text)
  body.append("language", language)
  body.append("selection", JSON.stringify(selection))
  body.append("edits", JSON.stringify(edits))
  for (const [name, value] of Object.entries(meant)) if (value) body.append(name, JSON.stringify(value))
  for (const file of files) body.append("file", file)
  return request("POST", `${of(session)}/turns`, { body, headers: once(turn) })
}

// Requests to /api. An error carries the server's sentence for the user.

/** The status of an error without an answer: there is no connection. */
export const CUT_OFF = 0

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? "")
    this.status = status
    this.code = problem.code ?? ""
  }
}

let language = "en"
let cutOff = ""  // what is said instead of the browser's own words, once the texts are there

export function setLanguage(wanted) {
  language = wanted
}

async function answered(method, path, options = {}) {
  const headers = { "Accept-Language": language, ...options.headers }
  const response = await fetch(path, { method, ...options, headers }).catch(() => { throw new ApiError(CUT_OFF, { detail: cutOff }) })
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})))
  return response
}

async function request(method, path, options) {
  const response = await answered(method, path, options)
  return response.headers.get("content-type")?.includes("json") ? response.json() : null
}

const AGAIN_MS = 2000

/** Asks until the server is there and has an answer, which may be a refusal. */
export async function untilAnswered(ask) {
  for (;;) {
    try {
      return await ask()
    } catch (problem) {
      if (problem.status !== CUT_OFF && problem.status < 500) throw problem
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS))
  }
}

const of = (session) => `/api/sessions/${encodeURIComponent(session)}`
const once = (turn) => ({ "Idempotency-Key": turn })

/** Whether the id of a session is a link to one, which only lets its reader look. */
export const isShared = (session) => session.startsWith("shared-")
export const newTurn = () => crypto.randomUUID().replaceAll("-", "")
export async function texts(wanted) {
  const found = await request("GET", `/api/texts/${wanted}`)
  cutOff = found.cut_off
  return found
}
export const listSessions = () => request("GET", "/api/sessions")

const made = new Set()
/** Whether a session is a new one of this page, which begins with its first turn. */
export const isOwn = (session) => made.has(session)
export async function createSession() {
  const { id } = await request("POST", "/api/sessions")
  made.add(id)
  return id
}

export const deleteSession = (session) => request("DELETE", of(session))
export const showSession = (session) => request("GET", of(session))
export const showVersion = (session, number) => request("GET", `${of(session)}/versions/${number}`)
export const showData = (session, number) => request("GET", `${of(session)}/versions/${number}/data`)
/** The template for JasperReports 7; fails with the reason where it cannot be written. */
export async function fetchJrxml7(session, number) {
  return (await answered("GET", `${of(session)}/versions/${number}/jrxml7`)).blob()
}
export const diffVersions = (session, number, to) => request("GET", `${of(session)}/versions/${number}/diff?to=${to}`)
export const renameSession = (session, name) => request("PATCH", of(session), { body: JSON.stringify({ name }) })
export const shareSession = async (session, days) => (await request("POST", `${of(session)}/share`, { body: JSON.stringify({ days }) })).link
export const unshareSession = (session) => request("DELETE", `${of(session)}/share`)
export const whoAmI = () => request("GET", "/api/me")
export const listSources = () => request("GET", "/api/sources")
export const listRuns = () => request("GET", "/api/runs")
export const cancelTurn = (session, turn) => request("DELETE", `${of(session)}/turns/${turn}`)
export const eventsOf = (session) => new EventSource(`${of(session)}/events`)

export const restoreVersion = (session, number, turn) =>
  request("POST", `${of(session)}/versions/${number}/restore`, { headers: once(turn) })

/** Answers the question of that id: if another one waits by now, nothing is done. */
export const answerQuestion = (session, agrees, question, turn) =>
  request("POST", `${of(session)}/answer`, { body: JSON.stringify({ agrees, question }), headers: once(turn) })

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

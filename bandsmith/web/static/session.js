// One session as the page shows it: what the server has stored, and the turns under way.
//
// What is stored is loaded when the stream of events opens and when a turn ends. Events in between only say how far
// the turns under way are. So a reload, a lost connection or a second tab shows the same.

import { useCallback, useEffect, useReducer, useRef } from "./vendor/preact.js"
import * as api from "./api.js"

const EMPTY = { id: "", name: "", status: "new", current: null, versions: [], turns: [], pending: [], question: null }
const START = { details: null, live: [], refused: [], offline: false, gone: "", missing: false }

const RETRY_MS = 2000
const LOST_MS = 2000  // a stream that ends as planned is back sooner, and nothing is said about it
const GONE = new Set([401, 403, 404, 410])

const longer = (one, other) => (one.length > other.length ? one : other)

function reduce(state, action) {
  const change = (turn, news) => state.live.map((one) => (one.turn === turn ? { ...one, ...news(one) } : one))
  switch (action.kind) {
    case "start":
      return START
    case "loaded": {
      const details = action.details ?? EMPTY
      const over = new Set(details.turns.map((one) => one.turn))
      const known = new Map(state.live.map((one) => [one.turn, one]))
      // Steps that began before the stream opened are only in what is stored; later ones may be only in what was heard.
      const pending = details.pending.map((one) => {
        const heard = known.get(one.turn)
        return { ...heard, ...one, steps: longer(heard?.steps ?? [], one.nodes) }
      })
      const ids = new Set(pending.map((one) => one.turn))
      const sent = state.live.filter((one) => one.isSent && !ids.has(one.turn) && !over.has(one.turn))
      return { ...state, details, live: [...pending, ...sent], offline: false, missing: false }
    }
    case "missing":
      return { ...START, missing: true }
    case "sent":
    case "TurnStarted":
    case "TurnQueued": {
      const { turn, text = "", files = [] } = action
      if (state.details?.turns.some((one) => one.turn === turn)) return state  // it was over before this was told
      const isKnown = state.live.some((one) => one.turn === turn)
      const news = { isQueued: action.kind === "TurnQueued", ...(text || files.length ? { text, files } : {}) }
      if (isKnown) return { ...state, live: change(turn, () => news) }
      return { ...state, missing: false, live: [...state.live, { turn, text, files, steps: [], isSent: action.kind === "sent", ...news }] }
    }
    case "NodeStarted":
      return {
        ...state,
        live: change(action.turn, ({ steps }) => ({
          isQueued: false,
          steps: steps.at(-1) === action.node ? steps : [...steps, action.node],
        })),
      }
    case "cancelling":
      return { ...state, live: change(action.turn, () => ({ isCancelling: true })) }
    case "ended":
      return { ...state, live: state.live.filter((one) => one.turn !== action.turn) }
    case "refused": {
      const { turn, text, message } = action
      const rest = state.refused.filter((one) => one.turn !== turn)
      return { ...state, live: state.live.filter((one) => one.turn !== turn), refused: [...rest, { turn, text, message }] }
    }
    case "renamed":
      return { ...state, details: { ...state.details, name: action.name } }
    case "offline":
      return { ...state, offline: true }
    case "gone":
      return { ...START, gone: action.message }
  }
  return state
}

export function useSession(id, language, onEnd) {
  const [state, act] = useReducer(reduce, START)
  const latest = useRef()
  latest.current = { state, language, onEnd }

  // Requests may be answered in any order: what an older one brings is not shown after that of a newer one.
  const asked = useRef(0)
  const shown = useRef(0)
  const load = useCallback(async () => {
    const number = ++asked.current
    const details = await api.showSession(id)
    if (number > shown.current) {
      shown.current = number
      act({ kind: "loaded", details })
    }
    return details
  }, [id])

  useEffect(() => {
    act({ kind: "start" })
    shown.current = asked.current  // what was asked of the session before is not of this one
    if (!id) return
    let source = null
    let retry = 0
    let doubt = 0
    const lost = () => act({ kind: "offline" })
    const doubted = () => { doubt ||= setTimeout(lost, LOST_MS) }
    const found = () => { clearTimeout(doubt); doubt = 0 }
    const later = (work) => { clearTimeout(retry); retry = setTimeout(work, RETRY_MS) }
    /** What may not be seen any more is not asked for again; anything else is a connection that was lost. */
    const failed = (problem, again) => {
      if (GONE.has(problem.status)) { source.close(); found(); return act({ kind: "gone", message: problem.message }) }
      doubted()
      later(again)
    }
    const reload = () => {
      clearTimeout(retry)
      return load().then(found, (problem) => failed(problem, reload))
    }
    const connect = () => { source = listen() }
    /** The browser connects again by itself, but not after a refusal. The session then says why, once it has begun. */
    const broken = () => {
      doubted()
      if (source.readyState !== EventSource.CLOSED) return
      const isNew = (problem) => problem.status === 404 && !api.isShared(id)
      api.showSession(id).then(() => later(connect), (problem) => (isNew(problem) ? later(connect) : failed(problem, connect)))
    }
    const listen = () => {
      const source = api.eventsOf(id)
      const on = (kind, does) => source.addEventListener(kind, (event) => does(JSON.parse(event.data)))
      on("ready", ({ exists }) => {
        found()
        if (exists) return reload()
        act({ kind: api.isOwn(id) ? "loaded" : "missing" })
      })
      on("reset", reload)
      for (const kind of ["TurnStarted", "TurnQueued", "NodeStarted"]) on(kind, (data) => act({ kind, ...data }))
      on("TurnFinished", async (end) => {
        await reload()
        act({ kind: "ended", turn: end.turn })
        latest.current.onEnd(end)
      })
      on("TurnFailed", async (end) => {
        const details = await load().catch(() => null)
        if (details?.turns.some((one) => one.turn === end.turn)) return act({ kind: "ended", turn: end.turn })
        const { state, language } = latest.current
        const text = state.live.find((one) => one.turn === end.turn)?.text ?? ""
        act({ kind: "refused", turn: end.turn, text, message: (language === "zh" && end.message_zh) || end.message })
      })
      source.onerror = broken
      return source
    }
    connect()
    addEventListener("offline", lost)
    addEventListener("online", reload)
    return () => {
      source.close()
      clearTimeout(retry)
      found()
      removeEventListener("offline", lost)
      removeEventListener("online", reload)
    }
  }, [id, load])

  return { ...state, act, load }
}

// The page: it holds what the views share, and sends what the user asks for.

import { html, render, useCallback, useEffect, useRef, useState } from "./vendor/preact.js"
import { About } from "./about.js"
import * as api from "./api.js"
import { ACCEPTED, Composer, Log } from "./chat.js"
import { meant, nameOf, placeholderOf } from "./meaning.js"
import { Icon, IconButton, fill } from "./parts.js"
import { Report } from "./report.js"
import { useSession } from "./session.js"
import { Sessions } from "./sessions.js"

const IN_CONVERSATION = new Set(["fill_report", "export_file"])  // their files come in the conversation
const stored = (name, otherwise) => localStorage.getItem(`bandsmith.${name}`) ?? otherwise
const store = (name, value) => localStorage.setItem(`bandsmith.${name}`, value)
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches

function useSettings() {
  const [language, setLanguage] = useState(stored("language", navigator.language.startsWith("zh") ? "zh" : "en"))
  const [theme, setTheme] = useState(stored("theme", ""))
  const [words, setWords] = useState(null)
  useEffect(() => {
    document.documentElement.lang = language
    api.setLanguage(language)
    let isLatest = true
    api.untilAnswered(() => api.texts(language)).then((texts) => isLatest && setWords(texts))
    return () => { isLatest = false }
  }, [language])
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return {
    words, language, isDark: theme ? theme === "dark" : isDark(),
    changeLanguage: () => { const other = language === "en" ? "zh" : "en"; store("language", other); setLanguage(other) },
    changeTheme: (dark) => { const other = dark ? "dark" : "light"; store("theme", other); setTheme(other) },
  }
}

/** The session that the address names; a new one has none until something is sent. */
function useAddress() {
  const read = () => location.hash.slice(1).replace(/[^\w-]/g, "")
  const [id, setId] = useState(read())
  useEffect(() => {
    const changed = () => setId(read())
    addEventListener("hashchange", changed)
    return () => removeEventListener("hashchange", changed)
  }, [])
  return [id, (next) => { location.hash = next; setId(next) }]
}

/** The version that is shown: the current one, or another that the user chose. */
function useVersion(id, details) {
  const [chosen, setChosen] = useState(null)
  const [version, setVersion] = useState(null)
  const own = details?.id === id ? details : null  // not those of the session that was open before
  const number = own?.versions.some((one) => one.number === chosen) ? chosen : (own?.current ?? null)
  useEffect(() => setChosen(null), [id])
  useEffect(() => {
    if (number === null) return setVersion(null)
    let isLatest = true
    api.showVersion(id, number).then((found) => isLatest && setVersion(found), () => isLatest && setVersion(null))
    return () => { isLatest = false }
  }, [id, number])
  return [version, setChosen]
}

/** Files may be dropped anywhere where `isOpen`; elsewhere a dropped file is refused, and does not replace the page. */
function useDrop(isOpen, onFiles) {
  const [isOver, setOver] = useState(false)
  const handle = useRef()
  handle.current = { isOpen, onFiles }
  useEffect(() => {
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files")
    const over = (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (handle.current.isOpen) setOver(true)
      else event.dataTransfer.dropEffect = "none"
    }
    const leave = (event) => { if (!event.relatedTarget) setOver(false) }
    const drop = (event) => { if (hasFiles(event)) { event.preventDefault(); setOver(false); handle.current.isOpen && handle.current.onFiles([...event.dataTransfer.files]) } }
    addEventListener("dragover", over)
    addEventListener("dragleave", leave)
    addEventListener("drop", drop)
    return () => { removeEventListener("dragover", over); removeEventListener("dragleave", leave); removeEventListener("drop", drop) }
  }, [])
  return isOver
}

function Welcome({ w, onFiles }) {
  const picker = useRef()
  const camera = useRef()
  const picked = (event) => onFiles([...event.target.files])
  return html`<div class="welcome"><h1>${w.tagline}</h1><p>${w.welcome}</p>
    <button type="button" class="drop" onClick=${() => picker.current.click()}><${Icon} name="sheet" /><span>${w.choose}</span></button>
    <input ref=${picker} type="file" hidden accept=${ACCEPTED} onChange=${picked} />
    <input ref=${camera} type="file" hidden accept="image/*" capture="environment" onChange=${picked} />
    <button type="button" class="primary touch" onClick=${() => camera.current.click()}><${Icon} name="camera" />${w.camera}</button>
    <p class="dim">${w.or_describe}</p></div>`
}

/** What is shown before the first message for something else than a report, which takes no file. */
const ModeWelcome = ({ w, mode }) => html`<div class="welcome"><h1>${nameOf(w, mode)}</h1><p>${w[`placeholder_${mode.kind}`]}</p></div>`

/** What is shown at the address of a report that there is not, or that belongs to another user. */
const NoReport = ({ w, onNew }) => html`<div class="welcome"><p role="alert">${w.no_report}</p>
  ${onNew && html`<button type="button" class="primary" onClick=${onNew}>${w.new_session}</button>`}</div>`

/** What a session is called that its first turn begins, until the server has stored it. */
const nameOfTurn = (turn) => turn && (turn.text.trim() || turn.files[0]?.replace(/\.\w+$/, ""))

const BACK_MS = 2000
const LATE_MS = 2000  // a page that begins in a shorter time says nothing about it
const CUT = Symbol("without a connection")

/** What went wrong with the last request. That there was no connection is only said until it is back. */
function useError(w) {
  const [error, setError] = useState("")
  useEffect(() => {
    if (error !== CUT) return
    const back = () => setError("")
    const timer = setInterval(() => api.whoAmI().then(back, (problem) => problem.status === api.CUT_OFF || back()), BACK_MS)
    return () => clearInterval(timer)
  }, [error])
  const failed = (problem) => setError(problem.status === api.CUT_OFF ? CUT : problem.message || w.failed)
  return [error === CUT ? w.cut_off : error, setError, failed]
}

/** What the user may do: null until it is known, empty for someone who has nothing but a link to a report. */
function useRole() {
  const [role, setRole] = useState(location.pathname === "/shared" ? "" : null)
  useEffect(() => { if (role === null) api.untilAnswered(api.whoAmI).then((me) => setRole(me.role), () => setRole("")) }, [])
  return role
}

/** The sentence of a page that has no texts yet. */
const LOST = { en: "Connection lost. Trying again ...", zh: "连接已断开，正在重试……" }

function App() {
  const settings = useSettings()
  const role = useRole()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (settings.words && role !== null) return html`<${Work} ...${settings} w=${settings.words} role=${role} />`
  return isLate && html`<p class="offline" role="status">${LOST[settings.language]}</p>`
}

function Work({ w, role, language, isDark, changeLanguage, changeTheme }) {
  const [id, open] = useAddress()
  const [selection, setSelection] = useState([])
  const [files, setFiles] = useState([])
  const [error, setError, failed] = useError(w)
  const [isListed, setListed] = useState(false)
  const [isAbout, setAbout] = useState(false)
  const [mode, setMode] = useState(null)
  const [tab, setTab] = useState("chat")
  const kept = useRef("")  // the turn after which the selection stays, so that more can be done with it
  const session = useSession(id, language, (end) => {
    if (kept.current !== end.turn) setSelection([])
    showVersion(null)
    if (end.asks || IN_CONVERSATION.has(end.intent)) setTab("chat")
    else if (end.version) setTab("report")
  })
  const { details, live, act } = session
  const isShared = api.isShared(id)
  const mayEdit = !isShared && role !== "reader"
  const canEdit = mayEdit && !session.missing
  const [loaded, showVersion] = useVersion(id, details)
  const version = details?.id === id && loaded  // another session is opened before its version is there
  const isEmpty = !id || session.missing || (details && details.turns.length === 0 && live.length === 0 && session.refused.length === 0)

  useEffect(() => {
    // What an edit removed is not selected any more.
    const keys = version && new Set(version.elements.map((one) => one.key))
    if (keys && selection.some((key) => !keys.has(key))) setSelection(selection.filter((key) => keys.has(key)))
  }, [version])
  useEffect(() => { setSelection([]); setFiles([]); setError(""); setTab("chat"); setAbout(false) }, [id])
  useEffect(() => { document.title = details?.name ? `${details.name} – Bandsmith` : "Bandsmith" }, [details?.name])

  /** Sends a request of this session, or of another one, and returns whether the server took it; the turn is shown at once. */
  const begin = useCallback(async (send, text, names = [], session = id) => {
    const turn = api.newTurn()
    setError("")
    try {
      const target = session || (await api.createSession())
      if (target !== id) open(target)
      await send(target, turn)
      setTimeout(() => act({ kind: "sent", turn, text, files: names }))
      return true
    } catch (problem) {
      failed(problem)
      return false
    }
  }, [id, w])

  const question = live.length === 0 ? details?.question : null
  const send = async (text, attached, more) => {
    const names = attached.map((file) => file.name)
    const request = { text, files: attached, ...more }
    const isTaken = await begin((target, turn) => api.startTurn(target, { turn, ...request }), text, names)
    if (isTaken) setFiles([])
    return isTaken
  }
  const say = (text, attached = []) => {
    if (!mode || question || !attached.length) return send(text, attached, { selection, ...meant(mode, question) })
    setError(fill(w.mode_no_file, { mode: nameOf(w, mode) }))
    return false
  }
  const beginKeeping = (request) => begin((target, turn) => {
    kept.current = turn
    return api.startTurn(target, { turn, ...request })
  }, request.text ?? "")
  const sayInNew = (text) => begin((target, turn) => api.startTurn(target, { turn, text }), text, [], "")
  const edit = (edits) => beginKeeping({ edits })
  const dropped = (added) => (isEmpty && !mode && !files.length && added.length === 1 ? say("", added) : setFiles([...files, ...added]))
  const isOver = useDrop(canEdit, dropped)
  const select = (key, isAdded) => {
    const others = selection.filter((one) => one !== key)
    setSelection(isAdded ? (others.length < selection.length ? others : [...others, key]) : selection.length === 1 && !others.length ? [] : [key])
  }
  const fillFrom = (name) => send(fill(w["ask.fill_from"], { name }), [], { filling: { source: name, review: true } })
  const undo = (which) => live.length === 0 && beginKeeping({ action: { do: which } })
  const exportAs = (format) => begin((target, turn) => api.startTurn(target, { turn, action: { do: "export", format } }), "")
  const downloadJrxml7 = async () => {
    try {
      const link = document.createElement("a")
      link.href = URL.createObjectURL(await api.fetchJrxml7(id, version.number))
      link.download = "report-7.jrxml"
      link.click()
      URL.revokeObjectURL(link.href)
    } catch (problem) {
      failed(problem)
    }
  }
  const cancel = (turn) => { act({ kind: "cancelling", turn }); api.cancelTurn(id, turn).catch(failed) }

  useEffect(() => {
    const keys = (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) return setSelection([])
      const isWriting = event.target.matches?.("textarea, input:not([type=range])") && event.target.value
      if (!(event.ctrlKey || event.metaKey) || isWriting) return
      const which = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z") ? "redo" : event.key === "z" ? "undo" : null
      if (!which || !canEdit || !details?.[`can_${which}`]) return
      event.preventDefault()
      undo(which)
    }
    addEventListener("keydown", keys)
    return () => removeEventListener("keydown", keys)
  })

  const name = details?.name || nameOfTurn(live[0]) || w.untitled
  const placeholder = placeholderOf(w, { mode, question, isNew: !version && live.length === 0, selected: selection.length })
  return html`
    <a class="skip" href="#message" onClick=${(event) => { event.preventDefault(); document.getElementById("message").focus() }}>${w.skip}</a>
    <header class="top">
      ${!isShared && html`<${IconButton} icon="menu" label=${w.menu} onClick=${() => setListed(true)} />`}
      <span class="brand"><img src="/static/icon.svg" alt="" />${w.product}</span>
      ${isEmpty ? html`<span class="title"></span>` : html`<h1 class="title">${name}</h1>`}
      ${version && html`<div class="segments tabs" role="group" aria-label=${w.view}>
        <button type="button" aria-pressed=${tab === "chat"} onClick=${() => setTab("chat")}>${w.conversation}</button>
        <button type="button" aria-pressed=${tab === "report"} onClick=${() => setTab("report")}>${w.report}</button></div>`}
      ${!isEmpty && details && canEdit && html`<${IconButton} icon="share" label=${w.about} onClick=${() => setAbout(true)} />`}
      ${!isEmpty && canEdit && html`<${IconButton} icon="plus" label=${w.new_session} onClick=${() => { open(""); setMode(null) }} />`}
      <button type="button" class="quiet" lang=${language === "en" ? "zh" : "en"} onClick=${changeLanguage}>${w.language}</button>
      <${IconButton} icon=${isDark ? "sun" : "moon"} label=${isDark ? w.theme_light : w.theme_dark} onClick=${() => changeTheme(!isDark)} />
    </header>
    ${session.offline && html`<p class="offline" role="status">${w.offline}</p>`}
    <main class="work ${version ? "split" : "single"} show-${version ? tab : "chat"}">
      <section class="chat" aria-label=${w.conversation}>
        ${session.gone ? html`<p class="welcome" role="alert">${session.gone}</p>`
          : session.missing ? html`<${NoReport} w=${w} onNew=${mayEdit ? () => open("") : null} />`
          : isEmpty ? (canEdit ? (mode ? html`<${ModeWelcome} w=${w} mode=${mode} />` : html`<${Welcome} w=${w} onFiles=${dropped} />`)
            : html`<div class="welcome"><p>${w.reader}</p><button type="button" class="primary" onClick=${() => setListed(true)}>${w.sessions}</button></div>`)
          : html`<${Log} key=${id} w=${w} session=${session} onShow=${(number) => { showVersion(number); setTab("report") }} onCancel=${canEdit ? cancel : null}
              onAnswer=${!canEdit ? null : (agrees) => begin((target, turn) => api.answerQuestion(target, agrees, question.id, turn), agrees ? w.yes : w.no)} />`}
        ${session.gone || session.missing || (isEmpty && !canEdit) ? "" : !canEdit ? html`<p class="shared">${isShared ? w.shared : w.reader}</p>` : html`<${Composer} w=${w} placeholder=${placeholder} mode=${mode} onNoMode=${() => setMode(null)} files=${files} setFiles=${setFiles} selected=${selection.length}
          onClear=${() => setSelection([])} onSend=${say} error=${error} />`}
      </section>
      ${version && html`<${Report} w=${w} session=${id} language=${language} details=${details} version=${version} selection=${selection}
        onSelect=${select} onClear=${() => setSelection([])} onShow=${(number) => { setSelection([]); showVersion(number) }}
        onRestore=${() => begin((target, turn) => api.restoreVersion(target, version.number, turn), "")}
        canEdit=${canEdit} isBusy=${live.length > 0} onEdit=${edit} onFill=${(file) => send(w["ask.fill"], [file])} onSource=${fillFrom} onUndo=${undo} onExport=${exportAs} onJrxml7=${downloadJrxml7} />`}
    </main>
    ${isOver && html`<div class="dropping"><p>${w.drop_here}</p></div>`}
    ${isListed && html`<${Sessions} w=${w} canEdit=${canEdit} current=${id} language=${language} onOpen=${(next) => { open(next); setMode(null); setListed(false) }}
      onNew=${() => { open(""); setMode(null); setListed(false) }} onMode=${(next) => { open(""); setMode(next); setListed(false) }} onSay=${(text) => { setMode(null); setListed(false); sayInNew(text) }}
      onClose=${() => setListed(false)} onDeleted=${(gone) => gone === id && open("")} />`}
    ${isAbout && details && html`<${About} w=${w} session=${id} name=${details.name} onClose=${() => setAbout(false)}
      onRenamed=${(name) => act({ kind: "renamed", name })} />`}`
}

render(html`<${App} />`, document.body)

// The page: it holds what the views share, and sends what the user asks for.

import { html, render, useCallback, useEffect, useRef, useState } from "./vendor/preact.js"
import { About } from "./about.js"
import * as api from "./api.js"
import { ACCEPTED, Composer, Log } from "./chat.js"
import { meant, placeholderOf } from "./meaning.js"
import { Icon, IconButton } from "./parts.js"
import { Report } from "./report.js"
import { useSession } from "./session.js"
import { Sessions } from "./sessions.js"

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
    api.texts(language).then(setWords)
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

function useDrop(onFiles) {
  const [isOver, setOver] = useState(false)
  const handle = useRef()
  handle.current = onFiles
  useEffect(() => {
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files")
    const over = (event) => { if (hasFiles(event)) { event.preventDefault(); setOver(true) } }
    const leave = (event) => { if (!event.relatedTarget) setOver(false) }
    const drop = (event) => { if (hasFiles(event)) { event.preventDefault(); setOver(false); handle.current([...event.dataTransfer.files]) } }
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

function App() {
  const settings = useSettings()
  return settings.words && html`<${Work} ...${settings} w=${settings.words} />`
}

function Work({ w, language, isDark, changeLanguage, changeTheme }) {
  const [id, open] = useAddress()
  const [selection, setSelection] = useState([])
  const [files, setFiles] = useState([])
  const [error, setError] = useState("")
  const [isListed, setListed] = useState(false)
  const [isAbout, setAbout] = useState(false)
  const [mode, setMode] = useState(null)
  const [tab, setTab] = useState("chat")
  const kept = useRef("")  // the turn after which the selection stays, so that more can be done with it
  const session = useSession(id, language, (end) => {
    if (kept.current !== end.turn) setSelection([])
    showVersion(null)
    if (end.version) setTab("report")
  })
  const { details, live, act } = session
  const isShared = id.startsWith("shared-")  // a link that lets its reader look only
  const [loaded, showVersion] = useVersion(id, details)
  const version = details && loaded  // another session is opened before its version is there
  const isEmpty = !id || (details && details.turns.length === 0 && live.length === 0 && session.refused.length === 0)

  useEffect(() => {
    // What an edit removed is not selected any more.
    const keys = version && new Set(version.elements.map((one) => one.key))
    if (keys && selection.some((key) => !keys.has(key))) setSelection(selection.filter((key) => keys.has(key)))
  }, [version])
  useEffect(() => { setSelection([]); setFiles([]); setError(""); setTab("chat"); setAbout(false) }, [id])
  useEffect(() => { document.title = details?.name ? `${details.name} – Bandsmith` : "Bandsmith" }, [details?.name])

  /** Sends a request and returns whether the server took it; the turn is shown at once. */
  const begin = useCallback(async (send, text, names = []) => {
    const turn = api.newTurn()
    setError("")
    try {
      const target = id || (await api.createSession())
      if (!id) open(target)
      await send(target, turn)
      setTimeout(() => act({ kind: "sent", turn, text, files: names }))
      return true
    } catch (problem) {
      setError(problem.message || w.offline)
      return false
    }
  }, [id, w])

  const question = live.length === 0 ? details?.question : null
  const say = async (text, attached = [], chosen = selection) => {
    const names = attached.map((file) => file.name)
    const request = { text, files: attached, selection: chosen, ...(attached.length ? {} : meant(mode, question)) }
    const isTaken = await begin((target, turn) => api.startTurn(target, { turn, ...request }), text, names)
    if (isTaken) setFiles([])
    return isTaken
  }
  const beginKeeping = (request) => begin((target, turn) => {
    kept.current = turn
    return api.startTurn(target, { turn, ...request })
  }, request.text ?? "")
  const edit = (edits) => beginKeeping({ edits })
  const dropped = (added) => !isShared && (isEmpty && !files.length && added.length === 1 ? say("", added) : setFiles([...files, ...added]))
  const isOver = useDrop(dropped)
  const select = (key, isAdded) => {
    const others = selection.filter((one) => one !== key)
    setSelection(isAdded ? (others.length < selection.length ? others : [...others, key]) : selection.length === 1 && !others.length ? [] : [key])
  }
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
      setError(problem.message || w.offline)
    }
  }
  const cancel = (turn) => { act({ kind: "cancelling", turn }); api.cancelTurn(id, turn).catch((problem) => setError(problem.message)) }

  useEffect(() => {
    const keys = (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) return setSelection([])
      const isWriting = event.target.matches?.("textarea, input:not([type=range])") && event.target.value
      if (!(event.ctrlKey || event.metaKey) || isWriting) return
      const which = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z") ? "redo" : event.key === "z" ? "undo" : null
      if (!which || isShared || !details?.[`can_${which}`]) return
      event.preventDefault()
      undo(which)
    }
    addEventListener("keydown", keys)
    return () => removeEventListener("keydown", keys)
  })

  const placeholder = placeholderOf(w, { mode, question, isEmpty, selected: selection.length })
  return html`
    <a class="skip" href="#message" onClick=${(event) => { event.preventDefault(); document.getElementById("message").focus() }}>${w.skip}</a>
    <header class="top">
      ${!isShared && html`<${IconButton} icon="menu" label=${w.menu} onClick=${() => setListed(true)} />`}
      <span class="brand"><img src="/static/icon.svg" alt="" />${w.product}</span>
      ${isEmpty ? html`<span class="title"></span>` : html`<h1 class="title">${details?.name || w.untitled}</h1>`}
      ${version && html`<div class="segments tabs" role="group" aria-label=${w.view}>
        <button type="button" aria-pressed=${tab === "chat"} onClick=${() => setTab("chat")}>${w.conversation}</button>
        <button type="button" aria-pressed=${tab === "report"} onClick=${() => setTab("report")}>${w.report}</button></div>`}
      ${!isEmpty && details && !isShared && html`<${IconButton} icon="share" label=${w.about} onClick=${() => setAbout(true)} />`}
      ${!isEmpty && !isShared && html`<${IconButton} icon="plus" label=${w.new_session} onClick=${() => { open(""); setMode(null) }} />`}
      <button type="button" class="quiet" lang=${language === "en" ? "zh" : "en"} onClick=${changeLanguage}>${w.language}</button>
      <${IconButton} icon=${isDark ? "sun" : "moon"} label=${isDark ? w.theme_light : w.theme_dark} onClick=${() => changeTheme(!isDark)} />
    </header>
    ${session.offline && html`<p class="offline" role="status">${w.offline}</p>`}
    <main class="work ${version ? "split" : "single"} show-${version ? tab : "chat"}">
      <section class="chat" aria-label=${w.conversation}>
        ${isEmpty ? html`<${Welcome} w=${w} onFiles=${dropped} />`
          : html`<${Log} w=${w} session=${session} onShow=${(number) => { showVersion(number); setTab("report") }} onCancel=${isShared ? null : cancel}
              onAnswer=${isShared ? null : (agrees) => begin((target, turn) => api.answerQuestion(target, agrees, turn), agrees ? w.yes : w.no)} />`}
        ${isShared ? html`<p class="shared">${w.shared}</p>` : html`<${Composer} w=${w} placeholder=${placeholder} mode=${mode} onNoMode=${() => setMode(null)} files=${files} setFiles=${setFiles} selected=${selection.length}
          onClear=${() => setSelection([])} onSend=${say} error=${error} />`}
      </section>
      ${version && html`<${Report} w=${w} session=${id} language=${language} details=${details} version=${version} selection=${selection}
        onSelect=${select} onClear=${() => setSelection([])} onShow=${(number) => { setSelection([]); showVersion(number) }}
        onRestore=${() => begin((target, turn) => api.restoreVersion(target, version.number, turn), "")}
        canEdit=${!isShared} isBusy=${live.length > 0} onEdit=${edit} onFill=${(file) => say(w["ask.fill"], [file], [])} onUndo=${undo} onExport=${exportAs} onJrxml7=${downloadJrxml7} />`}
    </main>
    ${isOver && html`<div class="dropping"><p>${w.drop_here}</p></div>`}
    ${isListed && html`<${Sessions} w=${w} current=${id} language=${language} onOpen=${(next) => { open(next); setMode(null); setListed(false) }}
      onNew=${() => { open(""); setMode(null); setListed(false) }} onMode=${(next) => { open(""); setMode(next); setListed(false) }} onClose=${() => setListed(false)} onDeleted=${(gone) => gone === id && open("")} />`}
    ${isAbout && details && html`<${About} w=${w} session=${id} name=${details.name} onClose=${() => setAbout(false)}
      onRenamed=${(name) => act({ kind: "renamed", name })} />`}`
}

render(html`<${App} />`, document.body)

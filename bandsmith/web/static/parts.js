// Small parts that several views use.

import { html, useEffect, useRef } from "./vendor/preact.js"

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h10",
  plus: "M12 5v14M5 12h14",
  clip: "M20 11.5 12.2 19.3a5 5 0 0 1-7-7L13.4 4a3.3 3.3 0 0 1 4.7 4.7l-8 8a1.6 1.6 0 0 1-2.3-2.3l7.2-7.2",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  minus: "M5 12h14",
  bold: "M7 4h6a4 4 0 0 1 0 8H7zM7 12h7a4 4 0 0 1 0 8H7z",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM15.5 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z",
  store: "M19 6c0 1.7-3.1 3-7 3S5 7.700 5 6s3.100-3 7-3 7 1.300 7 3ZM5 6v12c0 1.700 3.100 3 7 3s7-1.300 7-3V6M5 12c0 1.700 3.100 3 7 3s7-1.300 7-3",
  down: "M12 4v11M7 11l5 5 5-5M5 20h14",
  close: "M6 6l12 12M18 6 6 18",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  check: "m5 12.5 4.5 4.5L19 7.5",
  sun: "M12 4V2M12 22v-2M4 12H2M22 12h-2M6 6 4.6 4.6M19.4 19.4 18 18M6 18l-1.4 1.4M19.4 4.6 18 6M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  left: "M4 6h16M4 12h9M4 18h13",
  center: "M4 6h16M7.5 12h9M5.5 18h13",
  right: "M4 6h16M11 12h9M7 18h13",
  share: "M12 15V4M8 8l4-4 4 4M6 12H5v8h14v-8h-1",
  calendar: "M5 6h14v14H5zM5 10h14M9 3v5M15 3v5",
  clock: "M12 7v5l3 2M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z",
  sheet: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
}

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`

export const IconButton = ({ icon, label, class: kind = "", type = "button", ...rest }) =>
  html`<button type=${type} class="icon-button ${kind}" aria-label=${label} title=${label} ...${rest}><${Icon} name=${icon} /></button>`

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

/** Times as they are written where the user is, in the language of the page. */
export const timeFormat = (language, zone) =>
  new Intl.DateTimeFormat(navigator.languages.find((one) => one.startsWith(language)) ?? language, { dateStyle: "medium", timeStyle: "short", timeZone: zone })

/** A native dialog that is open while it is in the page. */
export function Dialog({ label, class: kind = "", onClose, children }) {
  const node = useRef()
  useEffect(() => {
    const opener = document.activeElement
    const dialog = node.current
    dialog.showModal()
    return () => {
      dialog.close()  // nothing outside of an open dialog takes the focus
      opener?.focus?.()
    }
  }, [])
  const outside = (event) => event.target === node.current && onClose()
  const cancel = (event) => {
    event.preventDefault()
    onClose()
  }
  return html`<dialog ref=${node} class=${kind} aria-label=${label} onClick=${outside} onCancel=${cancel}>${children}</dialog>`
}

/**
 * The document as xterm.js gets it. The page's policy (`style-src 'self'`) forbids text in style elements; so what
 * xterm.js writes into its own becomes a style sheet that the document adopts.
 */
export function pageForXterm(page: Document): {
  readonly document: Document
  readonly release: () => void
} {
  const parts: { readonly sheet: CSSStyleSheet; readonly observer: MutationObserver }[] = []
  const createStyle = (): HTMLElement => {
    const element = page.createElement('span')
    element.hidden = true
    const sheet = new CSSStyleSheet()
    const observer = new MutationObserver(() => sheet.replaceSync(element.textContent))
    observer.observe(element, { childList: true })
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet]
    parts.push({ sheet, observer })
    return element
  }
  const createElement = (tag: string): HTMLElement =>
    tag === 'style' ? createStyle() : page.createElement(tag)
  const document = new Proxy(page, {
    get: (target, name): unknown => {
      if (name === 'createElement') return createElement
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      // The browser's own methods need the real document.
      return (...args: unknown[]): unknown => Reflect.apply(value, target, args)
    },
  })
  const release = (): void => {
    const own = new Set(parts.map(({ sheet }) => sheet))
    for (const { observer } of parts) observer.disconnect()
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !own.has(sheet))
  }
  return { document, release }
}

/** The fragment of the page's address, with the browser's history behind it. */
export interface Address {
  readonly read: () => string
  /** Adds an entry to the history. */
  readonly push: (hash: string) => void
  /** Replaces the current entry. */
  readonly replace: (hash: string) => void
  /** Calls back when Back, Forward or the user changed it. */
  readonly subscribe: (listener: () => void) => () => void
}

/** The browser's own. */
export function browserAddress(page: Window): Address {
  return {
    read: () => page.location.hash,
    push: (hash) => page.history.pushState(null, '', hash),
    replace: (hash) => page.history.replaceState(page.history.state, '', hash),
    subscribe: (listener) => {
      page.addEventListener('popstate', listener)
      return () => page.removeEventListener('popstate', listener)
    },
  }
}

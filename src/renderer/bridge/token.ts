/** Where the token of this tab is kept so that a reload works: gone with the tab, never in the history. */
const storageKey = 'nodescope.token'

/** 24 random bytes in base64url. */
const tokenPattern = /^#([A-Za-z0-9_-]{32})$/

/** The token in a URL's fragment, undefined when the fragment is something else. */
export function tokenOfHash(hash: string): string | undefined {
  return tokenPattern.exec(hash)?.[1]
}

/** The token of this page: from the address it was opened with, else from an earlier load in this tab. */
export function findToken(page: Window): string | undefined {
  return tokenOfHash(page.location.hash) ?? page.sessionStorage.getItem(storageKey) ?? undefined
}

/** Keeps the token for reloads and takes it out of the address, where a screenshot would show it. */
export function keepToken(page: Window, token: string): void {
  page.sessionStorage.setItem(storageKey, token)
  if (tokenOfHash(page.location.hash) === undefined) return
  page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search)
}

/** Main does not take this token (any more): a reload begins without it. */
export function forgetToken(page: Window): void {
  page.sessionStorage.removeItem(storageKey)
}

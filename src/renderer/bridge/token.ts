/** The token's key in session storage, for reloads of this tab; it is never in the browser's history. */
const storageKey = 'nodescope.token'

/** 24 random bytes in base64url. */
const tokenPattern = /^#([A-Za-z0-9_-]{32})$/

/** The token in a URL's fragment; undefined if the fragment is not a token. */
export function tokenOfHash(hash: string): string | undefined {
  return tokenPattern.exec(hash)?.[1]
}

/** The token of this page: from its address, else from an earlier load in this tab. */
export function findToken(page: Window): string | undefined {
  return tokenOfHash(page.location.hash) ?? page.sessionStorage.getItem(storageKey) ?? undefined
}

/** Stores the token for reloads and removes it from the address, where a screenshot would show it. */
export function keepToken(page: Window, token: string): void {
  page.sessionStorage.setItem(storageKey, token)
  if (tokenOfHash(page.location.hash) === undefined) return
  page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search)
}

/** Removes a token that main refused. */
export function forgetToken(page: Window): void {
  page.sessionStorage.removeItem(storageKey)
}

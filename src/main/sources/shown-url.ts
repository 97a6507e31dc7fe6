/** A URL as it is shown, traced and logged: user, password and query may be secrets and are left out. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return 'the manifest URL'
  const url = new URL(text)
  const query = url.search === '' ? '' : '?…'
  return `${url.origin}${url.pathname}${query}`
}

/** A URL without user, password and query, which may be secrets: for the page, the trace and the log. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return 'the manifest URL'
  const url = new URL(text)
  const query = url.search === '' ? '' : '?…'
  return `${url.origin}${url.pathname}${query}`
}

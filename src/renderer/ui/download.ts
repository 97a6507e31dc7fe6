/** Downloads what is at the URL, as a file with this name. Electron's window refuses downloads. */
export function download(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Downloads a text as a file with this name. */
export function downloadText(text: readonly string[], name: string): void {
  const url = URL.createObjectURL(new Blob([...text], { type: 'text/plain;charset=utf-8' }))
  download(url, name)
  // The browser has taken the text by then.
  setTimeout(() => URL.revokeObjectURL(url))
}

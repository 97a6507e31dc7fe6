/** The accessible name of an element that is named by its content. For tests. */
export function spokenName(line: HTMLElement): string {
  const copy = line.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return copy.textContent
}

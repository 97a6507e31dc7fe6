/** Keys of the page are off while typing; a radio button takes no letters, and a dialog has keys of its own. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=radio]), textarea, select, dialog, [contenteditable]') !== null
  )
}

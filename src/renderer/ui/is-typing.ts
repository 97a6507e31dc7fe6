/** Whether the page's keys are off: in text fields and in dialogs. A radio button takes no letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=radio]), textarea, select, dialog, [contenteditable]') !== null
  )
}

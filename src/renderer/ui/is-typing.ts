/** Whether the page's keys are off: in text fields and in dialogs. Radio buttons and sliders take no letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=radio], [type=range]), textarea, select, dialog, [contenteditable]',
    ) !== null
  )
}

/** Whether the key may move the slider that has the focus. */
export function movesSlider({ target, key }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLInputElement &&
    target.type === 'range' &&
    /^(Arrow|Page|Home|End)/.test(key)
  )
}
